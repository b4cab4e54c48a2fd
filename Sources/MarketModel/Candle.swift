/// The trades of one time bucket: first, highest, lowest and last price, and the quantity traded.
public struct Candle: Sendable, Equatable, Hashable {
    /// The bucket's start, seconds since 1970-01-01 00:00 UTC.
    public var timestamp: Double
    /// The earliest trade's price.
    public var open: Double
    public var high: Double
    public var low: Double
    /// The latest trade's price.
    public var close: Double
    /// The exact sum of the trades' quantities, rounded once: 0.1 and 0.2 make 0.3.
    public var volume: Double

    public init(timestamp: Double, open: Double, high: Double, low: Double, close: Double, volume: Double) {
        self.timestamp = timestamp
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        self.volume = volume
    }

    /// Whether the candle did not fall: a close equal to the open counts as green, as charts draw it.
    public var isGreen: Bool { close >= open }
    /// The upper edge of the body.
    public var bodyHigh: Double { open > close ? open : close }
    /// The lower edge of the body.
    public var bodyLow: Double { open > close ? close : open }
    /// High minus low.
    public var range: Double { high - low }
    /// The body's height, never negative.
    public var bodyHeight: Double { bodyHigh - bodyLow }

    /// Whether a chart may show it: every number finite, prices ordered `low <= open, close <= high`, low above
    /// zero, volume not negative, timestamp above zero and before the year 5138.
    public var isWellFormed: Bool {
        timestamp > 0 && timestamp <= Tick.latestTimestamp && low > 0 && high.isFinite && volume >= 0 && volume.isFinite
            && low <= open && low <= close && open <= high && close <= high
    }
}
