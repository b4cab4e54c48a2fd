// `SeededGenerator`, ticks and candles come with `import TestKit`.
@_exported public import MarketModel

/// Random ticks for properties: mostly a walk in order, with equal times, pauses and decimal quantities as venues send
/// them.
public struct TickStream {
    private var generator: SeededGenerator
    private var time: Double
    private var price = 100.0
    private let meanGap: Double

    /// - Parameters:
    ///   - start: seconds since 1970 UTC.
    ///   - meanGap: seconds between two ticks, on average.
    public init(seed: UInt64, start: Double = 1_700_000_000, meanGap: Double = 0.7) {
        generator = SeededGenerator(seed: seed)
        time = start
        self.meanGap = meanGap
    }

    public mutating func next() -> Tick {
        let draw = Double.random(in: 0..<1, using: &generator)
        // One in ten shares its time with the one before it, one in fifty comes after a pause.
        if draw > 0.1 { time += Double.random(in: 0..<2 * meanGap, using: &generator) }
        if draw > 0.98 { time += 60 * meanGap }
        time = (time * 1000).rounded() / 1000
        price = max(1, price + Double(Int.random(in: -50...50, using: &generator)) / 100)
        price = (price * 100).rounded() / 100
        let volume = Double(Int.random(in: 0...500_000_000, using: &generator)) / 1e8
        return Tick(timestamp: time, price: price, volume: volume)
    }

    public mutating func next(_ count: Int) -> [Tick] { (0..<count).map { _ in next() } }
}
