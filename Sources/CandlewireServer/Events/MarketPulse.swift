/// Notices markets that stop trading, and that they trade again: each once.
struct MarketPulse {
    /// Seconds without a tick.
    static let limit = 15.0
    /// A price is not too old to trade at before this many of the market's usual gaps between ticks.
    static let gaps = 20.0
    /// A market with a single tick so far, whose usual gap is not known, has this many times as long.
    static let patience = 15.0

    private struct Market {
        var lastTick: Double?
        var isStale = false
        /// Seconds between ticks, smoothed.
        var gap: Double?
    }

    private var markets: [Market]
    /// Seconds after which a price is too old to trade at, in a market that trades often.
    private let priceStaleAfter: Double

    init(markets: Int, priceStaleAfter: Double = .infinity) {
        self.markets = Array(repeating: Market(), count: markets)
        self.priceStaleAfter = priceStaleAfter
    }

    /// A market traded. `now` is a clock that never goes back.
    /// - Returns: seconds of silence, where it had been reported stale.
    mutating func beat(_ market: Int, now: Double) -> Double? {
        let before = markets[market]
        markets[market].lastTick = now
        markets[market].isStale = false
        guard let last = before.lastTick else { return nil }
        // An outage is no gap between two trades.
        let gap = min(now - last, tradingLimit(of: before))
        markets[market].gap = before.gap.map { $0 + (gap - $0) / 16 } ?? gap
        return before.isStale ? now - last : nil
    }

    private func tradingLimit(of market: Market) -> Double {
        guard let gap = market.gap else { return Self.patience * priceStaleAfter }
        return max(priceStaleAfter, Self.gaps * gap)
    }

    /// Seconds without a tick, where they are more than its usual gaps explain: its price is too old to trade at.
    func staleAge(_ market: Int, now: Double) -> Double? {
        guard let last = markets[market].lastTick else { return nil }
        let age = now - last
        return age >= tradingLimit(of: markets[market]) ? age : nil
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
