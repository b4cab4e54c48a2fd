import MarketModel
import TestKit

extension SeededGenerator {
    mutating func element<T>(_ values: [T]) -> T {
        values[Int.random(in: 0..<values.count, using: &self)]
    }

    /// A walk of well-formed candles, one a bucket.
    mutating func candles(_ count: Int, timeframe: Timeframe = .m1, from start: Double = 1_700_000_040) -> [Candle] {
        var price = 100.0
        return (0..<count).map { index in
            let open = price
            let close = max(1, open + (unit() - 0.5) * 4)
            let high = max(open, close) + unit() * 2
            let low = max(0.5, min(open, close) - unit() * 2)
            price = close
            return Candle(
                timestamp: start + Double(index) * timeframe.seconds, open: open, high: high,
                low: min(low, open, close),
                close: close, volume: (unit() * 1000).rounded())
        }
    }

    /// A number that arithmetic is afraid of, or an ordinary one.
    mutating func hostile() -> Double {
        element([
            .nan, .infinity, -.infinity, 0, -0.0, -1, 1, 1e300, -1e300, .greatestFiniteMagnitude,
            .leastNonzeroMagnitude,
            0.01, 60, 1e9, 1_700_000_000, 253_402_300_800, 1e18, unit(), unit() * 2000 - 500, unit() * 1e-9,
        ])
    }
}
