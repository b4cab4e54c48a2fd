import MarketModel

/// Makes the prices that are written to the socket: a seeded walk for each stock, and whose turn it is. All stocks have
/// the same interval, so their turns go round in the order of the list, `interval / count` apart: no burst, and one
/// time to wait for however many there are.
struct DeltaWriter: Sendable {
    private let stocks: [TrackedStock]
    private let interval: Double
    private let ranges: [ClosedRange<Double>]
    private var walks: [PriceWalk]
    private var random: SeededGenerator
    private var next = 0
    /// When the next stock has its turn; infinite while nothing can be written.
    private(set) var dueAt = Double.infinity

    /// - Parameter interval: seconds from one delta of a stock to its next.
    init(_ stocks: [TrackedStock], _ configuration: TrackerConfiguration, seed: UInt64) {
        self.stocks = stocks
        interval = max(configuration.interval, 0.01)
        random = SeededGenerator(seed: seed)
        let volatility = min(max(configuration.volatility, 0), 0.5)
        walks = stocks.map { PriceWalk(price: $0.initialPrice + $0.initialDelta, volatility: volatility) }
        ranges = stocks.map { stock in
            var (lowest, highest) = (configuration.prices.lowerBound, configuration.prices.upperBound)
            if stock.initialPrice < lowest { lowest = stock.initialPrice / 10 }
            if stock.initialPrice > highest { highest = stock.initialPrice * 10 }
            // Never zero after rounding, and never beyond what is read again.
            return max(lowest, 1 / TrackedStock.powers[stock.decimals])...min(highest, TrackedStock.highestPrice)
        }
    }

    private var step: Double { interval / Double(max(stocks.count, 1)) }

    /// Begins, unless it has begun: the first turn comes a step from now.
    mutating func resume(now: Double) { if dueAt == .infinity, !stocks.isEmpty { dueAt = now + step } }
    mutating func pause() { dueAt = .infinity }

    /// Whose turn it is: to be called until it is `nil`.
    mutating func nextTurn(now: Double) -> Int? {
        guard dueAt <= now else { return nil }
        // A process that slept goes on where it is, and does not write what it missed in one burst.
        if now - dueAt > interval { dueAt = now }
        dueAt += step
        defer { next = (next + 1) % stocks.count }
        return next
    }

    /// Moves the stock's price by one interval.
    /// - Returns: its distance from the initial price.
    mutating func delta(_ stock: Int) -> Double {
        walks[stock].step(seconds: interval, random: &random)
        let range = ranges[stock]
        let price = min(max(walks[stock].price, range.lowerBound), range.upperBound)
        return (price.rounded(decimals: stocks[stock].decimals) - stocks[stock].initialPrice).rounded(decimals: 8)
    }
}
