public import MarketModel

/// A venue's own candle: to be compared with ours, and to stand where ours has a gap.
public struct VenueCandle: Sendable, Equatable {
    public var symbol: String
    /// Its length in seconds.
    public var seconds: Int
    public var candle: Candle
    /// How many trades it was made of, and the number of the last one, where the venue says so.
    public var trades: UInt64?
    public var lastTrade: UInt64?
}

/// A candle as a message tells it: it may still change.
struct ToldCandle: Sendable {
    /// Whether it will change no more. Some venues do not say so: then it is the next one that closes it.
    enum State: Sendable { case running, closed, unsaid }

    var symbol: VenueText
    var state: State
    var seconds: Int
    var candle: Candle
    var trades: UInt64?
    var lastTrade: UInt64?
}
