/// The simulated exchange: a machine that trades its markets at an irregular rate.
///
/// What is traded and when it is due depends on the seed and the rate alone; the clock only decides when it is published.
/// So the same seed gives the same prices and quantities on every machine that carries the rate.
package struct SimulatedExchange: Sendable {
    /// A trade of one market, by its index in `markets`. Its timestamp is the moment it was published.
    package struct Trade: Sendable, Equatable {
        package var market: Int
        package var tick: Tick
    }

    package let markets: [SimulatedMarket]
    /// Trades a second over all markets, on average.
    package let rate: Double

    private var walks: [PriceWalk]
    private var lastTradeAt: [Double]
    private var random: SeededGenerator
    private let cumulativeActivity: [Double]
    /// Seconds of market time until the next trade, counted from the start.
    private var due: Double
    /// How busy the market is at the moment, 0.3 to 2.2 times the average.
    private var activity = 1.0

    /// - Parameters:
    ///   - markets: at least one.
    ///   - prices: where each market starts.
    ///   - rate: trades a second, above 0.
    package init(markets: [SimulatedMarket], prices: [Double], seed: UInt64, rate: Double) {
        precondition(!markets.isEmpty && markets.count == prices.count, "one price a market, and at least one market")
        self.markets = markets
        self.rate = rate
        walks = zip(markets, prices).map { PriceWalk(price: $1, volatility: $0.volatility) }
        lastTradeAt = markets.map { _ in 0 }
        random = SeededGenerator(seed: seed)
        var sum = 0.0
        cumulativeActivity = markets.map {
            sum += $0.activity
            return sum
        }
        due = random.exponential() / rate
    }

    /// How often a market trades, on average.
    package static func tradesPerSecond(of market: SimulatedMarket, among markets: [SimulatedMarket], rate: Double)
        -> Double
    {
        rate * market.activity / markets.reduce(0) { $0 + $1.activity }
    }

    /// Seconds after the start at which the next trade is due.
    package var nextDue: Double { due }

    /// Makes the trade that is due next and plans the one after it.
    /// - Parameter timestamp: the moment of publishing, seconds since 1970 UTC.
    package mutating func trade(timestamp: Double) -> Trade {
        let chosen = random.unit() * cumulativeActivity[cumulativeActivity.count - 1]
        let market = min(cumulativeActivity.partitioningIndex { $0 > chosen }, markets.count - 1)

        // A market that had no trade for a while moves as if it had traded every two seconds, at most.
        let elapsed = min(2, due - lastTradeAt[market])
        lastTradeAt[market] = due
        let tick = markets[market].trade(after: elapsed, timestamp: timestamp, walk: &walks[market], random: &random)

        activity = min(2.2, max(0.3, activity + 0.05 * random.signedUnit()))
        due += random.exponential() / (rate * activity * Self.meanSlowness)
        return Trade(market: market, tick: tick)
    }

    /// The mean of 1/activity, activity wandering evenly over its range: ln(2.2/0.3) / 1.9.
    private static let meanSlowness = 1.0487

    /// Gives up on trades that were due before `time`: the machine cannot carry the rate, and a growing backlog would
    /// only be published later and later.
    package mutating func skip(to time: Double) { if due < time { due = time } }
}
