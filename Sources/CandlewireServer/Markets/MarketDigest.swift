import MarketModel

/// What the market list still tells of a market whose past is not in memory.
struct MarketDigest: Sendable {
    /// Its newest, 24 hours of them at most: its day, to the half hour.
    var halfHours: [Candle]
    var sparkline: [Double]
    var lastMinute: Candle?
}
