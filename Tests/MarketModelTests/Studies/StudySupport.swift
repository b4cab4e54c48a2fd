import MarketModel
import TestKit

extension CandleSeries {
    init(_ candles: some Collection<Candle>) {
        self.init(capacity: max(1, candles.count))
        replaceAll(with: candles)
    }

    /// Bars with these closes, which open, high and low equal unless given.
    init(
        closes: [Double], highs: [Double]? = nil, lows: [Double]? = nil, volumes: [Double]? = nil, spacing: Double = 60
    ) {
        self.init(
            closes.indices.map { index in
                Candle(
                    timestamp: 1_700_006_400 + spacing * Double(index), open: closes[index],
                    high: highs?[index] ?? closes[index], low: lows?[index] ?? closes[index], close: closes[index],
                    volume: volumes?[index] ?? 1)
            })
    }
}

extension StudyColumns {
    /// All values of an output.
    func values(_ output: Int = 0) -> [Double] { withOutput(output) { Array($0) } }

    init(_ settings: StudySettings, of series: CandleSeries) {
        self.init(settings)
        rebuild(series)
    }
}

/// A market that wanders, jumps, stands still and sometimes does not trade.
struct WanderingMarket {
    private var generator: SeededGenerator
    private var price: Double
    private var isFlat = false

    init(seed: Int, price: Double = 100) {
        generator = SeededGenerator(seed: UInt64(seed))
        self.price = price
    }

    mutating func candle(at timestamp: Double) -> Candle {
        if Int.random(in: 0..<40, using: &generator) == 0 { isFlat.toggle() }
        let open = price
        if !isFlat { price = max(0.01, price * (1 + Double.random(in: -0.02...0.02, using: &generator))) }
        // Ticks of 0.01, so that equal prices occur.
        price = max(0.01, (price * 100).rounded() / 100)
        let high = max(open, price) * (isFlat ? 1 : 1 + Double.random(in: 0...0.01, using: &generator))
        let low = min(open, price) * (isFlat ? 1 : 1 - Double.random(in: 0...0.01, using: &generator))
        let volume = Int.random(in: 0..<8, using: &generator) == 0 ? 0 : Double.random(in: 0...50, using: &generator)
        return Candle(timestamp: timestamp, open: open, high: high, low: low, close: price, volume: volume)
    }

    mutating func candles(_ count: Int, spacing: Double = 60) -> [Candle] {
        (0..<count).map { candle(at: 1_700_006_400 + spacing * Double($0)) }
    }
}
