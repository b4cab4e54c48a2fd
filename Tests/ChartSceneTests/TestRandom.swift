import MarketModel

/// SplitMix64: the same numbers for the same seed on every platform.
struct TestRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func unit() -> Double {
        Double.random(in: 0..<1, using: &self)
    }

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
