public import MarketModel

/// A client's messages, protocol version 1.
public enum ClientMessage: Sendable, Equatable {
    case auth(token: String)
    case subscribe(SubscribeRequest)
    /// Without a timeframe: all of the symbol's subscriptions.
    case unsubscribe(symbol: String, timeframe: Timeframe?, id: RequestID?)
    /// Requests a channel's snapshot, and what follows it. Again while subscribed: a new snapshot. With
    /// `cancelsOnDisconnect`, which only `orders` has, the account's open orders are cancelled when the connection ends.
    case subscribeChannel(ChannelKey, id: RequestID?, cancelsOnDisconnect: Bool = false)
    case unsubscribeChannel(ChannelKey, id: RequestID?)
    case ping(id: RequestID?)
}

/// `{"action":"subscribe", ...}`
public struct SubscribeRequest: Sendable, Equatable {
    public var symbol: String
    public var timeframe: Timeframe
    public var id: RequestID?
    /// Candles wanted in the snapshot, 0 to `maximumHistory`.
    public var history: Int
    /// The most ticks, and the most forming candles, per second; `nil`: all.
    public var maxRate: Double?
    /// Where the client left off.
    public var recover: StreamPosition?

    /// What `maxRate` may be, in sendings a second.
    public static let rateRange = 0.01...10_000
    public static let defaultHistory = 300
    public static let maximumHistory = 1000

    public init(
        symbol: String, timeframe: Timeframe, id: RequestID? = nil, history: Int = defaultHistory,
        maxRate: Double? = nil, recover: StreamPosition? = nil
    ) {
        self.symbol = symbol
        self.timeframe = timeframe
        self.id = id
        self.history = history
        self.maxRate = maxRate
        self.recover = recover
    }
}

/// A place in a stream: which run of the stream, and how many messages into it.
///
/// One value, never two: an offset without its epoch would make a client that reconnects after a server restart
/// believe that offset 812 of the new run follows its own 812 of the old one.
public struct StreamPosition: Sendable, Equatable, Hashable {
    /// Names a run of the stream; a new one begins whenever continuity is lost.
    public var epoch: String
    /// The last message's number; the first message of an epoch has 1. 64 bits also where a machine word has 32
    /// (WebAssembly): beyond 2^31 a stream must not fall silent there.
    public var offset: Int64

    public init(epoch: String, offset: Int64) {
        self.epoch = epoch
        self.offset = offset
    }
}
