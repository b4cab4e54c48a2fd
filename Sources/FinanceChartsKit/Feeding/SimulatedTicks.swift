public import MarketModel

/// A made-up market: a random walk whose every tick depends on the seed alone.
public struct SimulatedTicks: Sendable {
    /// A tick's price differs from the one before it by at most so much.
    public static let largestChange = 2.0
    public static let lowestPrice = 1.0
    public static let volumes = 100.0...1000.0

    public private(set) var price: Double
    private var random: SeededGenerator

    /// - Parameter price: where the walk begins.
    public init(seed: UInt64, price: Double = 100) {
        self.price = max(price, SimulatedTicks.lowestPrice)
        random = SeededGenerator(seed: seed)
    }

    /// The next tick: a change from -2 to 2, uniform, and a volume from 100 to 1,000, uniform.
    /// - Parameter timestamp: seconds since 1970 UTC.
    public mutating func next(at timestamp: Double) -> Tick {
        let change = Double.random(in: -SimulatedTicks.largestChange...SimulatedTicks.largestChange, using: &random)
        price = max(SimulatedTicks.lowestPrice, price + change)
        return Tick(
            timestamp: timestamp, price: price, volume: Double.random(in: SimulatedTicks.volumes, using: &random))
    }

    /// Bars that end with the one that holds `now`, built from ticks as live bars are: one a second, at most 60 a bar.
    public mutating func history(_ count: Int, _ timeframe: Timeframe, now: Double) -> [Candle] {
        var starts: [Double] = []
        var start = timeframe.bucketStart(of: now)
        for _ in 0..<max(0, count) where start > 0 {
            starts.append(start)
            start = timeframe.bucketStart(of: start - 1)
        }
        var builder = OHLCBuilder(timeframe: timeframe)
        var candles: [Candle] = []
        for start in starts.reversed() {
            let end = min(timeframe.bucketEnd(ofBucketAt: start), now)
            let step = max(1, timeframe.seconds / 60)
            var time = start
            repeat {
                let result = builder.ingest(next(at: time))
                if let completed = result.appended { candles.append(completed) }
                time += step
            } while time < end
        }
        if let forming = builder.forming { candles.append(forming) }
        return candles
    }
}
