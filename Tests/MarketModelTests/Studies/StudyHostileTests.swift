import MarketModel
import TestKit
import Testing

@Suite("Studies: unexpected data")
struct StudyHostileTests {
    /// The first bar that has a value, for the usual settings, counted from 0.
    static func firstValues(_ kind: StudyKind) -> [Int] {
        switch kind {
        case .sma, .ema, .wma, .cci, .cmf: [19]
        case .rma, .williamsR: [13]
        case .vwap, .obv: [0]
        case .bollinger, .keltner, .donchian: [19, 19, 19]
        case .ichimoku: [8, 25, 25, 51, 0]
        case .parabolicSAR: [1]
        // One of the two at a time, see below.
        case .supertrend: []
        case .rsi, .atr, .mfi: [14]
        case .macd: [25, 33, 33]
        case .stochastic: [15, 17]
        case .stochasticRSI: [29, 31]
        case .adx: [27, 14, 14]
        case .roc: [10]
        case .aroon: [14, 14]
        }
    }

    @Test("before enough data there is no value, and from then on always one", arguments: StudyKind.allCases)
    func notEnoughData(kind: StudyKind) {
        var market = WanderingMarket(seed: 3)
        let candles = market.candles(120)
        for count in [0, 1, 2, 3, 13, 14, 15, 16, 25, 26, 33, 34, 51, 52, 53, 120] {
            let study = StudyColumns(StudySettings(kind), of: CandleSeries(candles.prefix(count)))
            #expect(study.count == count)
            for (output, first) in Self.firstValues(kind).enumerated() {
                let values = study.values(output)
                #expect(values.prefix(first).allSatisfy { $0.isNaN }, "\(kind) \(output) of \(count)")
                #expect(values.dropFirst(first).allSatisfy { $0.isFinite }, "\(kind) \(output) of \(count)")
            }
        }
    }

    @Test("Supertrend has one of its two lines at each bar from the first true ranges on")
    func supertrend() {
        var market = WanderingMarket(seed: 4)
        let study = StudyColumns(StudySettings(.supertrend), of: CandleSeries(market.candles(500)))
        let lines = zip(study.values(0), study.values(1)).map { (up: !$0.isNaN, down: !$1.isNaN) }
        #expect(lines.prefix(10).allSatisfy { !$0.up && !$0.down })
        #expect(lines.dropFirst(10).allSatisfy { $0.up != $0.down })
        #expect(lines.contains { $0.up } && lines.contains { $0.down })
    }

    @Test("hostile bars trap nothing, and values are finite or NaN", arguments: StudyKind.allCases)
    func hostile(kind: StudyKind) {
        let huge = Double.greatestFiniteMagnitude
        let tiny = Double.leastNonzeroMagnitude
        var generator = SeededGenerator(seed: 9)
        var series = CandleSeries(capacity: 300)
        var studies = StudyPropertyTests.settings(kind).map { StudyColumns($0) }
        for index in 0..<600 {
            let prices = [huge, tiny, 1, 1e-300, 1e300, 67_000, 67_000.01].shuffled(using: &generator).prefix(4)
            let (low, high) = (prices.min()!, prices.max()!)
            let candle = Candle(
                timestamp: Double(index + 1) * 86_399, open: prices.first!, high: high, low: low, close: prices.last!,
                volume: [0, huge, tiny, 5].randomElement(using: &generator)!)
            let before = series.count
            #expect(series.place(candle) == .applied)
            for at in studies.indices {
                studies[at].dropFirst(before + 1 - series.count)
                studies[at].update(series, from: Int.random(in: -5...(series.count + 5), using: &generator))
                for output in -1...6 {
                    #expect(!studies[at].value(output: output, at: series.count - 1).isInfinite)
                    #expect(studies[at].value(output: output, at: series.count).isNaN)
                    #expect(studies[at].value(output: output, at: -1).isNaN)
                }
            }
        }
    }

    @Test("a window forgets what was in it: after hostile bars its values are exact again")
    func forgets() {
        var closes = [Double](repeating: .greatestFiniteMagnitude, count: 30)
        closes += (0..<40).map { 100 + Double($0 % 7) }
        for kind in [StudyKind.sma, .bollinger, .stochastic] {
            let after = StudyColumns(StudySettings(kind), of: CandleSeries(closes: closes)).values()
            #expect(after.suffix(20).allSatisfy { $0 > 0 && $0 < 110 }, "\(kind)")
        }
        let average = StudyColumns(StudySettings(.sma), of: CandleSeries(closes: closes)).values().last!
        let exact = closes.suffix(20).reduce(0, +) / 20
        #expect((average - exact).magnitude <= exact * 1e-14)
    }

    @Test("prices of 100,000 over a million bars: SMA and Bollinger stay within 1e-9 of an exact computation")
    func driftsNot() {
        var generator = SeededGenerator(seed: 20)
        var price = 100_000.0
        var series = CandleSeries(capacity: 1_000_000)
        for index in 1...1_000_000 {
            price = min(max(price + Double.random(in: -0.5...0.5, using: &generator), 99_000), 101_000)
            let time = 60 * Double(index)
            series.place(Candle(timestamp: time, open: price, high: price, low: price, close: price, volume: 1))
        }
        // Incremental is the same to the bit, which other tests show.
        let average = StudyColumns(StudySettings(.sma), of: series)
        let bands = StudyColumns(StudySettings(.bollinger), of: series)
        for at in Array(stride(from: 19, to: series.count, by: 9973)) + [999_998, 999_999] {
            // Distances of near prices are exact, and their squares add up to some units in the last place.
            let first = series.close(at: at - 19)
            let distances = (at - 19...at).map { series.close(at: $0) - first }
            let mean = distances.reduce(0, +) / 20
            let deviation = (distances.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 20).squareRoot()
            let upper = first + mean + 2 * deviation
            #expect((average.value(output: 0, at: at) / (first + mean) - 1).magnitude < 1e-14)
            #expect((bands.value(output: 1, at: at) / upper - 1).magnitude < 1e-14)
            let width = bands.value(output: 1, at: at) - bands.value(output: 2, at: at)
            #expect((width - 4 * deviation).magnitude < 1e-9 * deviation + 2 * price.ulp)
        }
    }
}
