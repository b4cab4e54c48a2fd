/// Notices markets that stop trading, and that they trade again: each once.
struct MarketPulse {
    /// Seconds without a tick.
    static let limit = 15.0

    private struct Market {
        var lastTick: Double?
        var isStale = false
    }

    private var markets: [Market]

    init(markets: Int) { self.markets = Array(repeating: Market(), count: markets) }

    /// A market traded. `now` is a clock that never goes back.
    /// - Returns: seconds of silence, where it had been reported stale.
    mutating func beat(_ market: Int, now: Double) -> Double? {
        defer { markets[market] = Market(lastTick: now) }
        guard markets[market].isStale, let last = markets[market].lastTick else { return nil }
        return now - last
    }

    /// Looks after all markets that have traded.
    /// - Returns: those that are stale from now on, with their age.
    mutating func review(now: Double) -> [(market: Int, age: Double)] {
        var stale: [(Int, Double)] = []
        for index in markets.indices {
            guard let last = markets[index].lastTick, !markets[index].isStale, now - last >= Self.limit else {
                continue
            }
            markets[index].isStale = true
            stale.append((index, now - last))
        }
        return stale
    }

    /// Nothing is expected of a market for the time being.
    mutating func forget(_ market: Int) { markets[market] = Market() }

    /// Nothing is expected any more, or everything restarts.
    mutating func forget() { markets = markets.map { _ in Market() } }
}
