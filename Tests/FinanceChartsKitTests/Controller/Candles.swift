import FinanceChartsKit
import TestKit

/// Candles for the tests: a seeded walk of `count` bars from `start`.
func walk(_ count: Int, timeframe: Timeframe = .m1, start: Double = 1_700_000_040, seed: UInt64 = 7) -> [Candle] {
    var random = SeededGenerator(seed: seed)
    var close = 100.0
    return (0..<count).map { index in
        let open = close
        close = max(1, open + Double.random(in: -2...2, using: &random))
        return Candle(
            timestamp: start + Double(index) * timeframe.seconds, open: open,
            high: max(open, close) + Double.random(in: 0..<1, using: &random),
            low: min(open, close) - Double.random(in: 0..<0.5, using: &random), close: close,
            volume: 100 + Double.random(in: 0..<900, using: &random))
    }
}

extension Candle {
    /// A candle whose prices do not matter.
    static func at(_ timestamp: Double, _ price: Double = 10, volume: Double = 1) -> Candle {
        Candle(timestamp: timestamp, open: price, high: price, low: price, close: price, volume: volume)
    }
}
