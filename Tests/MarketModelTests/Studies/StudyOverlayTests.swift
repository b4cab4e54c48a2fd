import MarketModel
import Testing

@Suite("Studies: lines over the price worked out by hand")
struct StudyOverlayTests {
    static let examples = [
        WorkedExample(
            name: "SMA: the mean of the last three", settings: StudySettings(.sma, parameters: [3]),
            closes: [1, 2, 6, 4, 5], expected: [[nil, nil, 3, 4, 5]]),
        // k = 2/4: 3, then halfway to each price.
        WorkedExample(
            name: "EMA begins with the SMA of its first period", settings: StudySettings(.ema, parameters: [3]),
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
        WorkedExample(
            name: "WMA: the newest counts three times", settings: StudySettings(.wma, parameters: [3]),
            closes: [1, 2, 6, 4], expected: [[nil, nil, 23 / 6.0, 26 / 6.0]]),
        WorkedExample(
            name: "RMA: the newest counts a third", settings: StudySettings(.rma, parameters: [3]),
            closes: [1, 2, 6, 4, 10], expected: [[nil, nil, 3, 10 / 3.0, 50 / 9.0]]),
        WorkedExample(
            name: "VWAP begins anew at midnight, and has no value before a trade", settings: StudySettings(.vwap),
            closes: [10, 20, 30, 40], volumes: [1, 3, 0, 2], spacing: 43_200, expected: [[10, 17.5, nil, 40]]),
        WorkedExample(
            name: "VWAP begins anew at noon where the session does", settings: StudySettings(.vwap, parameters: [720]),
            closes: [10, 20, 50, 40], volumes: [1, 3, 1, 2], spacing: 43_200, expected: [[10, 20, 27.5, 40]]),
        WorkedExample(
            name: "VWAP weighs the typical price", settings: StudySettings(.vwap), closes: [10, 10], highs: [14, 11],
            lows: [6, 9], volumes: [2, 0], expected: [[10, 10]]),
        // True ranges 3, 2, 4, their averages 2.5 and 3.25.
        WorkedExample(
            name: "Keltner: true ranges about an EMA", settings: StudySettings(.keltner, parameters: [2, 2, 2]),
            closes: [10, 12, 11, 14], highs: [11, 13, 12, 15], lows: [9, 11, 10, 12],
            expected: [[nil, 11, 11, 13], [nil, nil, 16, 19.5], [nil, nil, 6, 6.5]]),
        WorkedExample(
            name: "Donchian: the extremes of three bars", settings: StudySettings(.donchian, parameters: [3]),
            closes: [10, 12, 11, 14], highs: [11, 13, 12, 15], lows: [9, 11, 10, 12],
            expected: [[nil, nil, 11, 12.5], [nil, nil, 13, 15], [nil, nil, 9, 10]]),
        WorkedExample(
            name: "Ichimoku: middles of one, two and three bars",
            settings: StudySettings(.ichimoku, parameters: [1, 2, 3, 2]), closes: [10, 12, 11, 14],
            highs: [11, 13, 12, 15], lows: [9, 11, 10, 12],
            expected: [
                [10, 12, 11, 13.5], [nil, 11, 11.5, 12.5], [nil, 11.5, 11.25, 13], [nil, nil, 11, 12.5],
                [10, 12, 11, 14],
            ]),
        // Up from 10: the stop is the first low, then 9 + 0.5 * (13 - 9) = 11, held at the low of 10; then
        // 10 + 0.5 * (13 - 10) = 11.5, held at 10, which the bar of 9.5 reaches: the stop turns to 13. From there
        // 13 + 0.5 * (9.5 - 13) = 11.25, held at the high of 12.
        WorkedExample(
            name: "SAR: approaches, is held back by two bars, turns",
            settings: StudySettings(.parabolicSAR, parameters: [0.5, 0.5]), closes: [10, 12, 11, 10, 9],
            highs: [11, 13, 12, 11, 10], lows: [9, 10, 10.5, 9.5, 8], expected: [[nil, 9, 10, 13, 12]]),
        // Lines about the middles 12, 11, 13.5, 11 at true ranges 3, 2, 4, 6: the upper one 15, 13, 13, then 17 as the
        // close before was above it; the lower one 9, 9, 9.5, 9.5.
        WorkedExample(
            name: "Supertrend: a stop that turns with the close",
            settings: StudySettings(.supertrend, parameters: [1, 1]), closes: [10, 12, 11, 14, 9],
            highs: [11, 13, 12, 15, 14], lows: [9, 11, 10, 12, 8],
            expected: [[nil, nil, nil, 9.5, nil], [nil, 15, 13, nil, 17]]),
    ]

    @Test("each value is the one worked out by hand", arguments: examples)
    func worked(example: WorkedExample) {
        example.check()
    }

    @Test("Ichimoku's spans are drawn ahead and its lagging line behind, by the displacement")
    func displacement() {
        #expect((0..<5).map { StudySettings(.ichimoku).shift(ofOutput: $0) } == [0, 0, 26, 26, -26])
        let settings = StudySettings(.ichimoku, parameters: [9, 26, 52, 30])
        #expect((-1..<7).map { settings.shift(ofOutput: $0) } == [0, 0, 0, 30, 30, -30, 0, 0])
        #expect(StudySettings(.sma).shift(ofOutput: 0) == 0)
    }

    @Test("sources are the prices they are named after", arguments: PriceSource.allCases)
    func sources(source: PriceSource) {
        var series = CandleSeries()
        series.place(Candle(timestamp: 60, open: 3, high: 8, low: 1, close: 6, volume: 1))
        let value = StudyColumns(StudySettings(.sma, parameters: [1], source: source), of: series).values()[0]
        let expected = [PriceSource.close: 6, .hl2: 4.5, .hlc3: 5, .ohlc4: 4.5]
        #expect(value == expected[source])
        #expect(PriceSource(identifier: source.identifier.description) == source)
    }
}
