public import MarketModel

/// What a server may say, protocol version 1, as a client reads it.
public enum ServerMessage: Sendable, Equatable {
    case tick(symbol: String, timeframe: Timeframe?, Tick, offset: Int64?)
    case candle(symbol: String, Bar, offset: Int64?)
    case snapshot(symbol: String, timeframe: Timeframe?, candles: [Candle], position: StreamPosition?)
    case subscribed(
        id: RequestID?, symbol: String, timeframe: Timeframe?, position: StreamPosition?, recovered: Bool)
    case unsubscribed(id: RequestID?, symbol: String, timeframe: Timeframe?)
    case skipped(symbol: String, timeframe: Timeframe?, count: Int)
    /// The symbol has had no tick for `age` seconds although its feed should be live; the next tick ends it.
    case stale(symbol: String, age: Double)
    /// Anything that belongs to a channel; what it says is in its text.
    case channel(ChannelHead)
    case error(code: String, message: String, field: String?, id: RequestID?)
    case pong(id: RequestID?)
    /// The token of an `auth` request was taken, first or renewed.
    case authenticated
    case closing(reconnectAfter: Double)
    /// A type this version does not know: to be logged, never fatal.
    case unknown(type: String)
}
