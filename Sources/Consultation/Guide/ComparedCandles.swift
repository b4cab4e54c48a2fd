public import MarketModel

/// Candles of one market over a period, for a comparison.
public struct ComparedCandles: Sendable, Hashable {
    /// As the server names the market.
    public var symbol: String
    /// Oldest first, of one timeframe.
    public var candles: [Candle]

    public init(symbol: String, candles: [Candle]) {
        self.symbol = symbol
        self.candles = candles
    }

    /// The timeframe that gives a period of some seconds about a hundred candles.
    package static func timeframe(_ seconds: Double) -> Timeframe {
        let wanted = seconds / 150
        return [.m1, .m5, .m15, .h1, .h4].first { Double($0.seconds) >= wanted } ?? .d1
    }
}

/// What a period did to a price.
struct PeriodFigures {
    let symbol: String
    /// Percent, from the first open to the last close.
    let change: Double
    let low: Double
    let high: Double
    /// The standard deviation of the candles' returns in percent, scaled to the period.
    let volatility: Double
    /// The greatest fall from a high to a later low of closes, in percent.
    let drawdown: Double
    /// The candle that contributed most in the direction of the change: its start and its change in percent.
    let strongest: (time: Double, change: Double)

    /// - Returns: `nil` for fewer than two candles, or prices that are not above 0.
    init?(_ symbol: String, _ candles: [Candle]) {
        guard candles.count >= 2, let first = candles.first, let last = candles.last,
            candles.allSatisfy({ min($0.open, $0.low, $0.close) > 0 && $0.high.isFinite })
        else { return nil }
        self.symbol = symbol
        change = (last.close / first.open - 1) * 100
        low = candles.map(\.low).min() ?? first.low
        high = candles.map(\.high).max() ?? first.high
        var (peak, fall) = (first.open, 0.0)
        for candle in candles {
            peak = max(peak, candle.close)
            fall = max(fall, (1 - candle.close / peak) * 100)
        }
        drawdown = fall
        // From close to close, so that a jump between two candles counts.
        let starts = [first.open] + candles.dropLast().map(\.close)
        let returns = zip(candles, starts).map { ($0.close / $1 - 1) * 100 }
        let mean = returns.reduce(0, +) / Double(returns.count)
        let variance = returns.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(returns.count - 1)
        volatility = (variance * Double(returns.count)).squareRoot()
        let sign = change < 0 ? -1.0 : 1.0
        let best = returns.indices.max { returns[$0] * sign < returns[$1] * sign } ?? 0
        strongest = (candles[best].timestamp, returns[best])
    }
}
