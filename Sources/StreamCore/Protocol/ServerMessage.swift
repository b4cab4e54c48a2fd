public import MarketModel

/// A server's messages, protocol version 1, as a client reads it.
public enum ServerMessage: Sendable, Equatable {
    case tick(symbol: String, timeframe: Timeframe?, Tick, offset: Int64?)
    case candle(symbol: String, Bar, offset: Int64?)
    case snapshot(symbol: String, timeframe: Timeframe?, candles: [Candle], position: StreamPosition?)
    case subscribed(id: RequestID?, symbol: String, timeframe: Timeframe?, position: StreamPosition?, recovered: Bool)
    case unsubscribed(id: RequestID?, symbol: String, timeframe: Timeframe?)
    case skipped(symbol: String, timeframe: Timeframe?, count: Int)
    /// The symbol has had no tick for `age` seconds although its feed should be live; the next tick ends it.
    case stale(symbol: String, age: Double)
    /// Anything that belongs to a channel; its content is in its text.
    case channel(ChannelHead)
    case error(code: String, message: String, field: String?, id: RequestID?)
    case pong(id: RequestID?)
    /// The token of an `auth` request was accepted, first or renewed.
    case authenticated
    case closing(reconnectAfter: Double)
    /// A type this version does not know: to be logged, never fatal.
    case unknown(type: String)
}

/// A message of a channel: its head with its address, and its JSON text as it came.
///
/// What it is about (`order`, `positions`, ...) is read from the text by code with those types; this module has no
/// notion of money.
public struct ChannelMessage: Sendable, Equatable {
    public var head: ChannelHead
    /// The whole message, UTF-8.
    public var json: [UInt8]

    public init(head: ChannelHead, json: [UInt8]) {
        self.head = head
        self.json = json
    }

    /// The message as text.
    public var text: String { String(decoding: json, as: UTF8.self) }
}

/// What all messages of channels have in common.
public struct ChannelHead: Sendable, Equatable {
    /// `subscribed`, `snapshot`, `order`, `fill`, `positions`, ...
    public var type: String
    public var channel: StreamChannel
    public var account: String?
    /// The account's position in its ledger after the message; `nil` where the channel has none.
    public var sequence: Int64?
    /// Of the request that this answers.
    public var id: RequestID?

    public init(
        type: String, channel: StreamChannel, account: String? = nil, sequence: Int64? = nil, id: RequestID? = nil
    ) {
        self.type = type
        self.channel = channel
        self.account = account
        self.sequence = sequence
        self.id = id
    }
}
