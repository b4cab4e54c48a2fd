import Consultation
import MarketModel
import Testing

@Suite struct ComparisonTests {
    private static let now = 1_732_269_600.0
    private static let snapshot = MarketSnapshot(
        time: now,
        quotes: [
            .init(symbol: "BTC-USD", price: 101, tickTime: now - 1),
            .init(symbol: "ETH-USD", price: 55, tickTime: now - 1),
            .init(symbol: "SOL-USD", price: 5, tickTime: now - 1),
        ], focus: "SOL-USD")

    /// Candles that end now, each from the close before it.
    private static func past(_ symbol: String, _ closes: [Double], step: Double) -> ComparedCandles {
        var candles: [Candle] = []
        for (index, close) in closes.enumerated().dropFirst() {
            let open = closes[index - 1]
            candles.append(
                Candle(
                    timestamp: now - Double(closes.count - index) * step, open: open, high: max(open, close) + 1,
                    low: min(open, close) - 1, close: close, volume: 1))
        }
        return ComparedCandles(symbol: symbol, candles: candles)
    }

    private static let day = [
        past("BTC-USD", [100, 102, 99, 101], step: 28_800), past("ETH-USD", [50, 51, 54, 55], step: 28_800),
    ]

    @Test("the stronger one is named, with changes, ranges and volatility over the period that is named or a day")
    func compares() throws {
        let question = "Compare BTC and ETH, which was stronger and why?"
        let wanted = try #require(Guide.comparison(question, Self.snapshot))
        #expect(wanted.symbols == ["BTC-USD", "ETH-USD"] && wanted.seconds == 86_400)
        let text = Guide.answer(question, in: Self.snapshot, past: Self.day).text
        #expect(text.hasPrefix("Over the last 24 hours, to 2024-11-22T10:00:00Z:"))
        #expect(
            text.contains("- BTC-USD rose 1.00 %, range 98.00 to 103.00, volatility 4.95 %, deepest fall 2.94 %."),
            "\(text)")
        #expect(text.contains("- ETH-USD rose 10.00 %, range 49.00 to 56.00"), "\(text)")
        #expect(text.contains("**ETH-USD was stronger**: it rose 10.00 %, BTC-USD rose 1.00 %, a lead of 9.00 points."))
        #expect(text.contains("2024-11-21T18:00:00Z (5.88 %)"), "\(text)")
        #expect(text.contains("volatility 3.96 % against 4.95 %"), "\(text)")
        #expect(text.contains("no news"))
    }

    @Test(
        "periods in words",
        arguments: [
            ("compare btc and eth over the last 7 days", 604_800), ("btc vs eth, last hour", 3_600),
            ("btc versus eth 12h", 43_200), ("compare btc with eth over 2 weeks", 1_209_600),
            ("compare btc and eth", 86_400),
            ("which was stronger this month, btc or eth", 2_592_000),
        ] as [(String, Double)])
    func periods(question: String, seconds: Double) throws {
        #expect(try #require(Guide.comparison(question, Self.snapshot)).seconds == seconds)
    }

    @Test("what cannot be compared is said")
    func impossible() {
        func text(_ question: String, _ past: [ComparedCandles]) -> String {
            Guide.answer(question, in: Self.snapshot, past: past).text
        }
        #expect(text("compare btc and eth over 1 minute", []).contains("from 10 minutes to 2 years"))
        #expect(text("compare btc and eth", [Self.day[0]]).contains("not enough candles of ETH-USD"))
        #expect(text("compare btc and eth", [Self.day[0], Self.past("ETH-USD", [50], step: 60)]).contains("ETH-USD"))
        #expect(text("compare", []).contains("Which markets?"))
        // One market is compared with the one on screen.
        #expect(Guide.comparison("compare btc", Self.snapshot)?.symbols == ["BTC-USD", "SOL-USD"])
    }

    @Test("markets are compared over the time for which there is data of each, which is said")
    func shorter() {
        let past = [Self.day[0], Self.past("ETH-USD", [50, 51, 52, 53], step: 3_600)]
        let text = Guide.answer("compare btc and eth", in: Self.snapshot, past: past).text
        #expect(text.contains("not enough candles of BTC-USD"), "\(text)")
        let both = [
            Self.past("BTC-USD", [100, 101, 103], step: 3_600), Self.past("ETH-USD", [50, 50, 50], step: 3_600),
        ]
        let short = Guide.answer("compare btc and eth", in: Self.snapshot, past: both).text
        #expect(
            short.contains("The data begins at 2024-11-22T08:00:00Z") && short.contains("BTC-USD was stronger"),
            "\(short)")
    }

    @Test("equal changes have no winner")
    func equal() {
        let both = [
            Self.past("BTC-USD", [100, 100, 100], step: 3_600), Self.past("ETH-USD", [50, 50, 50], step: 3_600),
        ]
        #expect(Guide.answer("compare btc and eth", in: Self.snapshot, past: both).text.contains("None was stronger"))
    }
}
