public import MarketModel

/// What a client may say, protocol version 1.
public enum ClientMessage: Sendable, Equatable {
    case auth(token: String)
    case subscribe(SubscribeRequest)
    /// Without a timeframe: all of the symbol's subscriptions.
    case unsubscribe(symbol: String, timeframe: Timeframe?, id: RequestID?)
    /// Wants a channel's snapshot, and what follows it. Again while subscribed: a new snapshot.
    case subscribeChannel(ChannelKey, id: RequestID?)
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
