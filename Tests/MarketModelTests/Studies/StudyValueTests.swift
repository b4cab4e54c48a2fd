import MarketModel
import Testing

@Suite("Studies: oscillators worked out by hand")
struct StudyValueTests {
    static let examples = [
        // Changes +2, -1, +3, 0. G: (2+0)/2 = 1, (1+3)/2 = 2, 1. L: (0+1)/2 = 0.5, 0.25, 0.125.
        WorkedExample(
            name: "RSI: Wilder's averages of gains and losses", settings: StudySettings(.rsi, parameters: [2]),
            closes: [10, 12, 11, 14, 14],
            expected: [[nil, nil, 100 * 1 / 1.5, 100 * 2 / 2.25, 100 * 1 / 1.125]]),
        WorkedExample(
            name: "RSI is 100 with no losses", settings: StudySettings(.rsi, parameters: [2]),
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
        // Of the RSIs 66.7, 88.9 and 88.9 the second is the top of its two, and the third has none to be in.
        WorkedExample(
            name: "StochRSI: the RSI within its own range",
            settings: StudySettings(.stochasticRSI, parameters: [2, 2, 1, 2]), closes: [10, 12, 11, 14, 14],
            expected: [[nil, nil, nil, 100, 50], [nil, nil, nil, nil, 75]]),
        WorkedExample(
            name: "StochRSI: %K is smoothed", settings: StudySettings(.stochasticRSI, parameters: [2, 2, 2, 1]),
            closes: [10, 12, 11, 14, 14], expected: [[nil, nil, nil, nil, 75], [nil, nil, nil, nil, 75]]),
        // True ranges 3, 2, 4: the first bar has none.
        WorkedExample(
            name: "ATR: the mean of the first true ranges, then Wilder's",
            settings: StudySettings(.atr, parameters: [2]),
            closes: [10, 12, 11, 14], highs: [11, 13, 12, 15], lows: [9, 11, 10, 12],
            expected: [[nil, nil, 2.5, 3.25]]),
        // +DM 2, 0, 3; -DM 0, 1, 0; TR 3, 2, 4. DX: 100 * 0.5 / 1.5, then 100 * 1.75 / 2.25.
        WorkedExample(
            name: "ADX: directions by Wilder's averages", settings: StudySettings(.adx, parameters: [2, 2]),
            closes: [10, 12, 11, 14], highs: [11, 13, 12, 15], lows: [9, 11, 10, 12],
            expected: [
                [nil, nil, nil, (100 / 3.0 + 700 / 9.0) / 2], [nil, nil, 40, 200 / 3.25], [nil, nil, 20, 25 / 3.25],
            ]),
        // Prices 1, 3, 5: mean 3, mean distance 4/3.
        WorkedExample(
            name: "CCI: the distance from the mean in mean distances", settings: StudySettings(.cci, parameters: [3]),
            closes: [1, 3, 5], expected: [[nil, nil, 2 / (0.015 * 4 / 3)]]),
        WorkedExample(
            name: "CCI is 0 where nothing moved", settings: StudySettings(.cci, parameters: [3]),
            closes: [0.1, 0.1, 0.1, 0.1], expected: [[nil, nil, 0, 0]]),
        WorkedExample(
            name: "OBV: volume up with rises, down with falls", settings: StudySettings(.obv), closes: [1, 2, 2, 1],
            volumes: [5, 6, 7, 8], expected: [[5, 11, 11, 3]]),
        // Flows +20, -10 * 2, then nothing but equal prices.
        WorkedExample(
            name: "MFI: the share of money that flowed up", settings: StudySettings(.mfi, parameters: [2]),
            closes: [5, 10, 10, 5, 5, 5], volumes: [1, 3, 9, 2, 4, 4],
            expected: [[nil, nil, 100, 0, 0, 50]]),
        // 432.05 + 432.03 + 432.05 and 432.05 + 432.04 + 432.04 are one number, but not as sums of doubles.
        WorkedExample(
            name: "MFI: equal typical prices are equal", settings: StudySettings(.mfi, parameters: [1]),
            closes: [432.05, 432.04, 433], highs: [432.05, 432.05, 433], lows: [432.03, 432.04, 433],
            expected: [[nil, 50, 100]]),
        WorkedExample(
            name: "Williams %R: from the top of the range down", settings: StudySettings(.williamsR, parameters: [2]),
            closes: [10, 11, 14, 14, 14], highs: [11, 12, 14, 14, 14], lows: [8, 9, 10, 14, 14],
            expected: [[nil, -25, 0, 0, -50]]),
        WorkedExample(
            name: "ROC: percent since n bars before", settings: StudySettings(.roc, parameters: [2]),
            closes: [10, 12, 15, 9], expected: [[nil, nil, 50, -25]]),
        WorkedExample(
            name: "Aroon: how lately the extremes were, the newest of equals",
            settings: StudySettings(.aroon, parameters: [2]), closes: [1, 2, 2.5, 2], highs: [1, 3, 3, 2],
            lows: [1, 0.5, 2, 2], expected: [[nil, nil, 100, 50], [nil, nil, 50, 0]]),
        // Of the bars 8...12 those closing at 11 and 8 weigh 0.5 and -1; those without range or volume nothing.
        WorkedExample(
            name: "CMF: volume by where the close lies", settings: StudySettings(.cmf, parameters: [2]),
            closes: [11, 8, 9, 10, 10], highs: [12, 12, 9, 12, 12], lows: [8, 8, 9, 8, 8], volumes: [10, 30, 5, 0, 0],
            expected: [[nil, -25 / 40.0, -30 / 35.0, 0, 0]]),
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

    @Test("the presets are the studies by their usual settings, drawn where they belong")
    func presets() {
        let overlays = StudySettings.overlayPresets
        #expect(overlays.map(\.kind) == [.ema, .ema, .sma, .sma, .bollinger])
        #expect(overlays.map { $0[0] } == [20, 50, 20, 50, 20])
        #expect(StudySettings.bollinger20[1] == 2)
        #expect(overlays.allSatisfy { $0.kind.placement == .price && $0.source == .close })
        #expect(StudySettings.bollinger20.kind.outputs.map(\.form) == [.line, .bandEdge, .bandEdge])

        let indicators = StudySettings.indicatorPresets
        #expect(indicators == [StudySettings(.rsi), StudySettings(.macd), StudySettings(.stochastic)])
        #expect(indicators.allSatisfy { $0.kind.placement == .pane && $0.source == .close })
        #expect(StudySettings.rsi14[0] == 14)
        #expect(StudyKind.rsi.guides == [70, 30])
        #expect((0..<3).map { StudySettings.macd[$0] } == [12, 26, 9])
        #expect((0..<3).map { StudySettings.stochastic[$0] } == [14, 3, 3])
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
