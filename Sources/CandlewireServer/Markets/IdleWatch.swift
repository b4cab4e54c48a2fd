/// Decides which markets' past leaves the memory because they have not traded and nobody has read them.
///
/// A value; asked now and then, and told when somebody wants a market. Times are seconds on a clock that never goes back.
struct IdleWatch {
    private struct Market {
        var ticks = 0
        var usedAt: Double
    }

    /// Seconds without a trade and without a reader.
    let limit: Double
    private var markets: [Market]

    init(markets: Int, limit: Double, now: Double) {
        self.limit = limit
        self.markets = Array(repeating: Market(usedAt: now), count: markets)
    }

    /// - Parameters:
    ///   - ticks: how many the market has had.
    ///   - isWatched: whether it has readers, open orders or a position.
    /// - Returns: whether it has been idle for as long as the limit.
    mutating func review(_ market: Int, ticks: Int, isWatched: Bool, now: Double) -> Bool {
        if isWatched || ticks != markets[market].ticks {
            markets[market] = Market(ticks: ticks, usedAt: now)
            return false
        }
        return now - markets[market].usedAt >= limit
    }

    /// Somebody asked for it, or its past came back.
    mutating func use(_ market: Int, now: Double) { markets[market].usedAt = max(markets[market].usedAt, now) }
}
