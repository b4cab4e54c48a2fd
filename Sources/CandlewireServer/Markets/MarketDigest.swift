import MarketModel

/// What is still told of a market whose past is not in memory.
struct MarketDigest: Sendable {
    /// Up to so many markets keep the minutes that indicators are made of.
    static let studiedMarkets = 50
    /// So many: a smoothed average has forgotten what is older.
    static let studiedMinutes = 200

    /// Its newest, 24 hours of them at most: its day, to the half hour.
    var halfHours: [Candle]
    var sparkline: [Double]
    /// Its newest, at least the last one.
    var minutes: [Candle]
}
