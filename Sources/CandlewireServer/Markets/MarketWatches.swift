/// Notices markets that stopped trading while they have readers.
///
/// A value; reviewed once a second. A market is reported stale when it has had no tick for `limit` seconds, and again each
/// `limit` seconds until the next one.
struct StaleWatch {
    /// Seconds without a tick.
    static let limit = 15.0

    private struct Market {
        var ticks = -1
        var since = 0.0
        var reportedAt = -Double.infinity
    }

    private var markets: [Market]

    init(markets: Int) { self.markets = Array(repeating: Market(), count: markets) }

    /// - Parameters:
    ///   - ticks: how many ticks the market has had.
    ///   - isWatched: whether it should trade and has readers; the time without counts from when it began to be so.
    /// - Returns: seconds without a tick, where that is to be reported now.
    mutating func review(_ index: Int, ticks: Int, isWatched: Bool, now: Double) -> Double? {
        guard isWatched, ticks == markets[index].ticks else {
            markets[index] = Market(ticks: ticks, since: now)
            return nil
        }
        let age = now - markets[index].since
        guard age >= Self.limit, now - markets[index].reportedAt >= Self.limit else { return nil }
        markets[index].reportedAt = now
        return age
    }
}

/// Decides which markets' past leaves the memory because they have had no trade and no reader.
///
/// A value; reviewed now and then, and notified when a market is used. Times are seconds on a clock that never goes back.
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

    /// A client requested it.
    mutating func use(_ market: Int, now: Double) { markets[market].usedAt = max(markets[market].usedAt, now) }
}
