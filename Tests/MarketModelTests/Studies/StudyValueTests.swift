import MarketModel
import Testing

/// A study's values worked out by hand: bars in, one row per output, NaN written as nil.
struct WorkedExample: CustomTestStringConvertible, Sendable {
    var name: String
    var settings: StudySettings
    var closes: [Double]
    var highs: [Double]?
    var lows: [Double]?
    var volumes: [Double]?
    var expected: [[Double?]]

    var testDescription: String { name }

    func check() {
        let series = CandleSeries(closes: closes, highs: highs, lows: lows, volumes: volumes)
        let study = StudyColumns(settings, of: series)
        #expect(settings.kind.outputs.count == expected.count)
        for (output, row) in expected.enumerated() {
            let values = study.values(output)
            #expect(values.count == row.count)
            for (index, pair) in zip(values, row).enumerated() {
                guard let wanted = pair.1 else {
                    #expect(pair.0.isNaN, "output \(output) bar \(index)")
                    continue
                }
                #expect(
                    (pair.0 - wanted).magnitude <= 1e-12 * max(1, wanted.magnitude),
                    "output \(output) bar \(index): \(pair.0), not \(wanted)")
            }
        }
    }
}

@Suite("Studies: averages and oscillators worked out by hand")
struct StudyValueTests {
    static let examples = [
        WorkedExample(
            name: "SMA: the mean of the last three", settings: StudySettings(.sma, parameters: [3]),
            closes: [1, 2, 6, 4, 5], expected: [[nil, nil, 3, 4, 5]]),
        // k = 2/4: 3, then halfway to each price.
        WorkedExample(
            name: "FCK-42: EMA begins with the SMA of its first period", settings: StudySettings(.ema, parameters: [3]),
            closes: [1, 2, 6, 4, 8], expected: [[nil, nil, 3, 3.5, 5.75]]),
        // Of 2, 4, 6 the mean is 4 and the deviation sqrt(8/3); of three equal prices it is nothing.
        WorkedExample(
            name: "Bollinger: two deviations of the prices themselves",
            settings: StudySettings(.bollinger, parameters: [3, 2]), closes: [2, 4, 6, 6, 6],
            expected: [
                [nil, nil, 4, 16.0 / 3, 6],
                [nil, nil, 4 + 2 * (8.0 / 3).squareRoot(), 16.0 / 3 + 2 * (8.0 / 9).squareRoot(), 6],
                [nil, nil, 4 - 2 * (8.0 / 3).squareRoot(), 16.0 / 3 - 2 * (8.0 / 9).squareRoot(), 6],
            ]),
        // Changes +2, -1, +3, 0. G: (2+0)/2 = 1, (1+3)/2 = 2, 1. L: (0+1)/2 = 0.5, 0.25, 0.125.
        WorkedExample(
            name: "RSI: Wilder's averages of gains and losses", settings: StudySettings(.rsi, parameters: [2]),
            closes: [10, 12, 11, 14, 14],
            expected: [[nil, nil, 100 * 1 / 1.5, 100 * 2 / 2.25, 100 * 1 / 1.125]]),
        WorkedExample(
            name: "D-24: RSI is 100 with no losses", settings: StudySettings(.rsi, parameters: [2]),
            closes: [1, 2, 3, 4], expected: [[nil, nil, 100, 100]]),
        WorkedExample(
            name: "RSI is 0 with no gains", settings: StudySettings(.rsi, parameters: [2]),
            closes: [4, 3, 2, 1], expected: [[nil, nil, 0, 0]]),
        WorkedExample(
            name: "RSI is 50 where nothing moved", settings: StudySettings(.rsi, parameters: [2]),
            closes: [5, 5, 5, 6], expected: [[nil, nil, 50, 100]]),
        // EMA 1 is the price; EMA 3: 2, 3, 5; the distance 1, 1, 2; its average of two: 1, then 1 + 2/3.
        WorkedExample(
            name: "MACD: the distance of two EMAs and its own EMA",
            settings: StudySettings(.macd, parameters: [1, 3, 2]), closes: [1, 2, 3, 4, 7],
            expected: [
                [nil, nil, 1, 1, 2], [nil, nil, nil, 1, 1 + 2.0 / 3], [nil, nil, nil, 0, 1.0 / 3],
            ]),
        // Ranges of two bars: 8...12, 9...14, 10...14, 14...14 (which has none).
        WorkedExample(
            name: "Stochastic: the close within the range",
            settings: StudySettings(.stochastic, parameters: [2, 1, 2]), closes: [10, 11, 14, 14, 14],
            highs: [11, 12, 14, 14, 14], lows: [8, 9, 10, 14, 14],
            expected: [[nil, 75, 100, 100, 50], [nil, nil, 87.5, 100, 75]]),
    ]

    @Test("each value is the one worked out by hand", arguments: examples)
    func worked(example: WorkedExample) {
        example.check()
    }

    @Test("parameters are clamped to their range, rounded where they count, and the usual ones for NaN")
    func settings() {
        #expect(StudySettings(.rsi)[0] == 14)
        #expect(StudySettings(.rsi, parameters: [-3])[0] == 1)
        #expect(StudySettings(.rsi, parameters: [.nan])[0] == 14)
        #expect(StudySettings(.rsi, parameters: [.infinity])[0] == 1000)
        #expect(StudySettings(.rsi, parameters: [7.4])[0] == 7)
        #expect(StudySettings(.bollinger, parameters: [20, 2.5])[1] == 2.5)
        #expect(StudySettings(.bollinger, parameters: [20, 2.5, 7])[2].isNaN)
        var settings = StudySettings(.macd)
        settings[5] = 3
        settings[-1] = 3
        #expect(settings == StudySettings(.macd))
        settings[1] = 30
        #expect(settings == StudySettings(.macd, parameters: [12, 30]))
    }

    @Test("every kind can be named, and what it says of itself is whole", arguments: StudyKind.allCases)
    func descriptions(kind: StudyKind) {
        #expect(StudyKind(identifier: kind.identifier.description) == kind)
        #expect((1...5).contains(kind.outputs.count))
        #expect(kind.parameters.count <= 4)
        for parameter in kind.parameters { #expect(parameter.range.contains(parameter.standard)) }
        #expect(kind.guides == kind.guides.sorted(by: >))
        if let range = kind.fixedRange { #expect(kind.guides.allSatisfy(range.contains)) }
        #expect(StudyKind(identifier: "nothing") == nil)
    }
}
