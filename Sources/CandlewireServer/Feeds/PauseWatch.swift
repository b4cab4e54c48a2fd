/// Decides which markets are not followed for the time being because they have no watchers.
///
/// A value; reviewed once a second, and notified when a client requests a market. Times are seconds on a clock that never goes back.
struct PauseWatch {
    enum Change: Equatable { case pause, resume }

    private struct Market {
        var watchedAt: Double
        var isPaused = false
    }

    /// Seconds without a watcher after which a market is paused.
    let limit: Double
    private var markets: [Market]

    init(markets: Int, limit: Double, now: Double) {
        self.limit = limit
        self.markets = Array(repeating: Market(watchedAt: now), count: markets)
    }

    func isPaused(_ market: Int) -> Bool { markets[market].isPaused }

    /// - Parameter isWatched: whether it has readers, open orders or a position.
    mutating func review(_ market: Int, isWatched: Bool, now: Double) -> Change? {
        if isWatched { return demand(market, now: now) }
        guard !markets[market].isPaused, now - markets[market].watchedAt >= limit else { return nil }
        markets[market].isPaused = true
        return .pause
    }

    /// A client requested it, whether or not it goes on watching.
    mutating func demand(_ market: Int, now: Double) -> Change? {
        markets[market].watchedAt = max(markets[market].watchedAt, now)
        guard markets[market].isPaused else { return nil }
        markets[market].isPaused = false
        return .resume
    }
}
