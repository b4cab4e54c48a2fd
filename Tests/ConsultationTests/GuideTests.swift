import Consultation
import StreamCore
import Testing
import TradingCore

@Suite struct GuideTests {
    private static let now = 1_732_269_605.0
    private static let snapshot = MarketSnapshot(
        time: now,
        quotes: [
            .init(
                symbol: "BTC-USD", price: 67_234.5, tickTime: now - 1, changePercent24h: -1.234, high24h: 68_000,
                low24h: 66_000, indicators: [.init(name: "RSI 14", value: 55.125, time: now - 5)]),
            .init(symbol: "kraken:ETH/USD", price: 2_500.25, tickTime: now - 2, changePercent24h: 4.5),
            .init(symbol: "SOLUSDT", price: 150, tickTime: now - 400, changePercent24h: 50),
        ],
        holdings: [
            .init(
                symbol: "BTC-USD", side: .long, quantity: "0.5".decimal, entryPrice: "65000".decimal,
                unrealizedProfit: "-1117.25".decimal, currency: "USD")
        ],
        feeds: [
            .init(name: "kraken", isConnected: true, lastTradeAt: now - 2),
            .init(name: "binance", isConnected: false, lastTradeAt: nil),
        ], focus: "BTC-USD")

    private func guideAnswer(_ text: String) -> GuideAnswer { Guide.answer(text, in: Self.snapshot) }

    @Test("a price is cited with the time of its tick, its change and its range")
    func price() {
        let sentence =
            "BTC-USD is at 67,234.50 (tick of 10:00:04 UTC), down 1.23 % in 24 hours, between 66,000.00 and 68,000.00."
        for question in ["What is the price of BTC-USD?", "btc?", "how is Bitcoin doing", "price"] {
            #expect(guideAnswer(question).text == sentence, "\(question)")
        }
        #expect(guideAnswer("price of eth").text.hasPrefix("kraken:ETH/USD is at 2,500.25 (tick of 10:00:03 UTC)"))
    }

    @Test("a stale price is not cited, and no market order is proposed on one")
    func stale() {
        let answer = guideAnswer("price of SOLUSDT").text
        #expect(answer.contains("6 min ago") && answer.contains("09:53:25 UTC") && !answer.contains("150"))
        let order = guideAnswer("buy 2 SOL")
        #expect(order.calls.isEmpty && order.text.hasPrefix("I propose no market order on a stale price."))
        #expect(!guideAnswer("biggest movers").text.contains("SOLUSDT"))
    }

    @Test(
        "a price is as old as it has been here: a venue's clock may be a minute behind, and its silence is silence",
        arguments: [
            // Of its tick, since it came in; whether it is cited.
            (59.0, 1.0, true), (74, 15, true), (59, 16, false), (76, 1, false), (1, 0, true),
        ])
    func clockBehind(age: Double, since: Double, isCited: Bool) {
        let quote = MarketSnapshot.Quote(
            symbol: "BTC-USD", price: 10, tickTime: Self.now - age, receivedAt: Self.now - since)
        let snapshot = MarketSnapshot(time: Self.now, quotes: [quote], focus: "BTC-USD")
        #expect(snapshot.isStale(quote) != isCited)
        let answer = Guide.answer("price", in: snapshot).text
        #expect(answer.contains("is at 10.00 (tick of ") == isCited)
        #expect(Guide.answer("buy 2 BTC", in: snapshot).calls.isEmpty != isCited)
    }

    @Test("positions, indicators, movers and feeds are looked up in the live state")
    func state() {
        #expect(guideAnswer("my positions").text == "Long 0.5 BTC-USD from 65,000, losing 1,117.25 USD.")
        #expect(guideAnswer("show me the indicators").text == "BTC-USD: RSI 14 55.13 (candle of 10:00:00 UTC).")
        #expect(guideAnswer("biggest movers").text.hasPrefix("- kraken:ETH/USD is at 2,500.25"))
        let feeds = guideAnswer("are the feeds healthy?").text
        #expect(
            feeds.contains("kraken is connected; its last trade came in 2 s ago.")
                && feeds.contains("binance is not connected."))
        #expect(feeds.contains("SOLUSDT last ticked 6 min ago"))
        #expect(Guide.answer("positions", in: MarketSnapshot(time: 0)).text == "There are no open paper positions.")
    }

    @Test(
        "the guide creates every kind of template, each with the fields that make it one",
        arguments: [
            ("create a chart layout for eth 5m with rsi and macd", "chart_layout"),
            ("alert me when BTC rises above $70,000", "alert"), ("make a watchlist of btc and eth", "watchlist"),
            ("buy 0.1 btc at 65k", "order_proposal"), ("sell 0.25 ETH", "order_proposal"),
        ])
    func templates(question: String, kind: String) throws {
        let answer = guideAnswer(question)
        let template = try TemplateTool.template(try #require(answer.calls.first), id: "t")
        #expect(template.kind.name == kind && answer.calls.count == 1 && !answer.text.isEmpty)
    }

    @Test("what is read out of a question is what it says")
    func fields() throws {
        func fields(_ question: String) throws -> [String: JSONValue] {
            try TemplateTool.template(try #require(guideAnswer(question).calls.first), id: "t").fields
        }
        #expect(try fields("alert btc 60,000.5") == ["symbol": "BTC-USD", "condition": "below", "price": "60000.5"])
        #expect(
            try fields("buy 0.1 bitcoin at 65k")
                == [
                    "symbol": "BTC-USD", "side": "buy", "order_type": "limit", "quantity": "0.1",
                    "limit_price": "65000",
                    "mode": "paper",
                ])
        #expect(
            try fields("chart layout eth 5m rsi")
                == ["symbol": "kraken:ETH/USD", "timeframe": "5m", "indicators": ["rsi"]])
        #expect(try fields("watchlist of eth, btc") == ["symbols": ["kraken:ETH/USD", "BTC-USD"]])
    }

    @Test("an order is a proposal for paper money, and says that nothing is traded without approval")
    func proposal() {
        #expect(guideAnswer("buy 0.1 btc").text.contains("Nothing is traded unless you approve the card."))
        #expect(
            guideAnswer("order btc").text.hasPrefix("Buy or sell BTC-USD?") && guideAnswer("order btc").calls.isEmpty)
        #expect(guideAnswer("buy btc").text.hasPrefix("How much of BTC-USD?"))
    }

    @Test("it says plainly that it is not a language model: in the first answer, and wherever it does not understand")
    func honesty() {
        #expect(Guide.introduction.contains("not a language model"))
        #expect(Guide.answer("btc", in: Self.snapshot, isFirst: true).text.hasPrefix(Guide.introduction))
        let help = Guide.answer("Write me a poem about the sea", in: Self.snapshot, isFirst: true).text
        #expect(help.hasPrefix(Guide.introduction) && help.components(of: "not a language model") == 1)
        #expect(!guideAnswer("btc").text.contains("language model"))
    }

    @Test("any text is answered, and nothing it makes is refused", arguments: [31])
    func anything(seed: UInt64) {
        var random = SeededWords(seed: seed)
        for _ in 0..<3_000 {
            let answer = guideAnswer(random.sentence())
            #expect(!answer.text.isEmpty)
            for call in answer.calls {
                // Numbers like 0 are no quantity: that is for the tool to say.
                do { _ = try TemplateTool.template(call, id: "t") } catch {
                    #expect(error.field == "quantity" || error.field == "price" || error.field == "limit_price")
                }
            }
        }
    }

    @Test("as a model it says the same word by word, and knows whether it is the first answer")
    func model() async {
        let model = GuideModel(sleep: { _ in }, snapshot: { _ in Self.snapshot })
        func said(_ messages: [ModelMessage]) async -> (String, [ModelEvent]) {
            var events: [ModelEvent] = []
            let request = AnswerRequest(conversation: "c", answer: "a", user: "u", kind: "k", messages: messages)
            for await event in model.answer(request) { events.append(event) }
            return (events.map { if case .text(let text) = $0 { text } else { "" } }.joined(), events)
        }
        let (first, events) = await said([ModelMessage(.user, "alert btc above 70000")])
        #expect(first.hasPrefix(Guide.introduction) && events.count > 20)
        #expect(events.last == .end(ModelUsage()))
        if case .toolCall(let call)? = events.dropLast().last {
            #expect(call.name == "create_alert")
        } else {
            Issue.record("\(events)")
        }
        let (later, _) = await said([
            ModelMessage(.user, "x"), ModelMessage(.assistant, "y"), ModelMessage(.user, "btc"),
        ])
        #expect(later.hasPrefix("BTC-USD is at"))
    }

    @Test("a language model gets the same state, with the same times and without stale prices")
    func summary() {
        let summary = Self.snapshot.summary
        #expect(summary.hasPrefix("Live state at 2024-11-22T10:00:05Z:"))
        #expect(summary.contains("(tick of 10:00:04 UTC)") && summary.contains("Long 0.5 BTC-USD"))
        #expect(!summary.contains("is at 150"))
        // It copies numbers into fields.
        #expect(summary.contains("is at 67234.50") && summary.contains("from 65000, losing 1117.25"))
    }

    @Test(
        "the tools refuse what a model makes up",
        arguments: [
            (
                "create_order_proposal", "quantity",
                ["symbol": "A", "side": "buy", "order_type": "market", "quantity": "-1"]
            ),
            (
                "create_order_proposal", "side",
                ["symbol": "A", "side": "steal", "order_type": "market", "quantity": "1"]
            ),
            (
                "create_order_proposal", "limit_price",
                ["symbol": "A", "side": "buy", "order_type": "limit", "quantity": "1"]
            ),
            (
                "create_order_proposal", "stop_price",
                ["symbol": "A", "side": "buy", "order_type": "stop", "quantity": "1"]
            ),
            (
                "create_order_proposal", "stop_loss",
                ["symbol": "A", "side": "buy", "order_type": "market", "quantity": "1", "stop_loss": "0"]
            ),
            ("create_alert", "price", ["symbol": "A", "condition": "above", "price": "NaN"]),
            ("create_watchlist", "symbols", ["symbols": []]), ("create_meal", "meals", ["meals": "soup"]),
            ("create_meal", "name", ["name": "", "meals": [[:]]]), ("create_nothing", "name", [:]),
        ] as [(String, String, [String: JSONValue])])
    func refusals(name: String, field: String, arguments: [String: JSONValue]) {
        var arguments = arguments
        if arguments["name"] == nil { arguments["name"] = "n" }
        let error = #expect(throws: EnvelopeError.self) {
            try TemplateTool.template(ToolCall(name: name, arguments: arguments), id: "t")
        }
        #expect(error?.field == field)
    }
}
