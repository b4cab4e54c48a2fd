/// Notices markets that stop trading, and that they trade again: each once. Says whose price is too old to trade at.
struct MarketPulse {
    /// Seconds without a tick, after which a market is reported.
    static let limit = 15.0
    /// A price is not too old to trade at before this many of the market's usual gaps between ticks.
    static let usualGapFactor = 20.0
    /// A market with a single tick so far has no usual gap: its price may be this many times as old.
    static let singleTickFactor = 15.0

    private struct Market {
        var lastTick: Double?
        /// Whether ticks are expected, so that their absence is reported.
        var isExpected = false
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
    mutating func recordTick(_ market: Int, now: Double) -> Double? {
        let before = markets[market]
        markets[market].lastTick = now
        markets[market].isExpected = true
        markets[market].isStale = false
        guard let last = before.lastTick else { return nil }
        // An outage is no gap between two trades.
        let gap = min(now - last, maxPriceAge(before))
        markets[market].gap = before.gap.map { $0 + (gap - $0) / 16 } ?? gap
        return before.isStale ? now - last : nil
    }

    private func maxPriceAge(_ market: Market) -> Double {
        guard let gap = market.gap else { return Self.singleTickFactor * priceStaleAfter }
        return max(priceStaleAfter, Self.usualGapFactor * gap)
    }

    /// The age of a market's price in seconds, where it is too old to trade at: older than its usual gaps explain.
    func stalePriceAge(_ market: Int, now: Double) -> Double? {
        guard let last = markets[market].lastTick else { return nil }
        let age = now - last
        return age >= maxPriceAge(markets[market]) ? age : nil
    }

    /// Looks after all markets that have traded.
    /// - Returns: those that are stale from now on, with their age.
    mutating func review(now: Double) -> [(market: Int, age: Double)] {
        var stale: [(Int, Double)] = []
        for index in markets.indices {
            let market = markets[index]
            guard let last = market.lastTick, market.isExpected, !market.isStale, now - last >= Self.limit else {
                continue
            }
            markets[index].isStale = true
            stale.append((index, now - last))
        }
        return stale
    }

    /// Nothing is expected of a market for the time being, and its price is forgotten.
    mutating func forget(_ market: Int) { markets[market] = Market() }

    /// Nothing is expected until the next tick, as at the end of a recording. Prices go on aging.
    mutating func expectNothing() {
        for index in markets.indices {
            markets[index].isExpected = false
            markets[index].isStale = false
        }
    }
}
