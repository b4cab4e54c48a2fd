/// Decides which markets' past leaves the memory because they have not traded and nobody has read them.
///
/// A value; asked now and then, and told when somebody wants a market. Times are seconds on a clock that never goes back.
struct IdleWatch {
    private struct Market {
        var activity = 0
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
    ///   - activity: how often it has moved so far.
    ///   - isWatched: whether it has readers, open orders or a position.
    /// - Returns: whether it has been idle for as long as the limit.
    mutating func review(_ market: Int, activity: Int, isWatched: Bool, now: Double) -> Bool {
        if isWatched || activity != markets[market].activity {
            markets[market] = Market(activity: activity, usedAt: now)
            return false
        }
        return now - markets[market].usedAt >= limit
    }

    /// Somebody asked for it.
    mutating func use(_ market: Int, now: Double) { markets[market].usedAt = max(markets[market].usedAt, now) }
}
