import Consultation
import StreamCore
import Testing

/// Several requests in one message: each is done, or is named.
@Suite struct GuideRequestTests {
    private static let now = 1_732_269_605.0
    private static let snapshot = MarketSnapshot(
        time: now,
        quotes: [
            .init(symbol: "BTC-USD", price: 67_234.5, tickTime: now - 1),
            .init(
                symbol: "ETH-USD", price: 2_500, tickTime: now - 1,
                indicators: [.init(name: "RSI 14", value: 55, time: now - 5)]),
            .init(symbol: "SOL-USD", price: 150, tickTime: now - 1),
        ], feeds: [.init(name: "kraken", isConnected: true, lastTradeAt: now - 2)], focus: "SOL-USD")

    private static func answer(_ text: String, _ type: String = "markets") -> GuideAnswer {
        Guide.answer(text, in: snapshot, type: ConsultationTypes.builtIn[type])
    }

    /// Cards as one line each: a tool and some of its arguments.
    private static func cards(_ answer: GuideAnswer) -> [String] {
        answer.calls.map { call in
            let fields = ["side", "quantity", "symbol", "timeframe", "condition", "limit_price", "stop_loss", "price"]
            let values = fields.compactMap { call.arguments[$0]?.text }
            return ([String(call.name.dropFirst(7))] + values).joined(separator: " ")
        }
    }

    @Test(
        "each request of a message is done, about the market that it or the one before it names",
        arguments: [
            (
                "Buy 0.05 BTC, stop loss 2% below, and set an alert at 70000",
                ["order_proposal buy 0.05 BTC-USD 65889.81", "alert BTC-USD above 70000"], []
            ),
            ("Price of BTC and alert above 70000", ["alert BTC-USD above 70000"], ["BTC-USD is at 67,234.50"]),
            ("How is BTC and are the feeds healthy?", [], ["BTC-USD is at 67,234.50", "kraken is connected"]),
            ("Are the feeds healthy, and BTC?", [], ["BTC-USD is at 67,234.50", "kraken is connected"]),
            ("BTC, and are the feeds healthy?", [], ["BTC-USD is at 67,234.50", "kraken is connected"]),
            ("alert at 3000; buy 1 ETH", ["alert ETH-USD above 3000", "order_proposal buy 1 ETH-USD"], []),
            (
                "Alert btc above 70000 and alert eth below 2000",
                ["alert BTC-USD above 70000", "alert ETH-USD below 2000"], []
            ),
            (
                "Chart layout eth 5m, rsi and show macd. Then my positions",
                ["chart_layout ETH-USD 5m"], ["no open paper positions"]
            ),
            ("What is the price and RSI of ETH?", [], ["ETH-USD is at 2,500.00", "RSI 14 55.00"]),
            ("Price of ETH with its RSI", [], ["ETH-USD is at 2,500.00", "RSI 14 55.00"]),
            (
                "Watchlist of btc, eth and tell me the price of SOL", ["watchlist"],
                ["watchlist of BTC-USD, ETH-USD.", "SOL-USD is at 150.00"]
            ),
            (
                "buy 0.1 btc at 65000 with stop loss 64000 and take profit at 70000 and alert me at 66000",
                ["order_proposal buy 0.1 BTC-USD 65000 64000", "alert BTC-USD below 66000"], []
            ),
            ("When the price falls to 60000, buy 0.2 BTC", ["order_proposal buy 0.2 BTC-USD 60000"], []),
            ("buy 0.2 BTC, if the price falls to 60000", ["order_proposal buy 0.2 BTC-USD 60000"], []),
            ("which is better, BTC or ETH?", [], ["There are not enough candles of BTC-USD, ETH-USD"]),
            (
                "Hi, buy 0.1 btc, thanks! And what's ETH?", ["order_proposal buy 0.1 BTC-USD"],
                ["ETH-USD is at 2,500.00"]
            ),
        ] as [(String, [String], [String])])
    func done(question: String, cards: [String], texts: [String]) {
        let answer = Self.answer(question)
        #expect(Self.cards(answer) == cards, "\(answer.text)")
        for text in texts { #expect(answer.text.contains(text), "\(answer.text)") }
        #expect(!answer.text.contains("I have done nothing about"), "\(answer.text)")
    }

    @Test(
        "requests that cannot be separated safely are named, and nothing is created",
        arguments: [
            (
                "Alert me when BTC crosses 70000 and buy 0.1",
                ["“Alert me when BTC crosses 70000”", "“buy 0.1”"]
            ),
            ("buy 0.1 btc and sell 1 eth", ["“buy 0.1 btc”", "“sell 1 eth”"]),
            ("buy 0.1 btc and sell 1 eth with stop loss 2 %", ["“buy 0.1 btc”", "“sell 1 eth with stop loss 2 %”"]),
            (
                "Buy 0.05 BTC and set an alert at 70000, stop loss 2% below",
                ["“Buy 0.05 BTC”", "“stop loss 2% below”"]
            ),
            ("Alert BTC above 70000 buy 0.1", ["“Alert BTC above 70000 buy 0.1”", "alerts, orders"]),
            (
                "buy 0.1 BTC, when it falls to 60000, set an alert at 61000",
                ["“buy 0.1 BTC, when it falls to 60000”", "“set an alert at 61000”"]
            ),
            ("price of btc, price of eth and an alert at 3000", ["Which market?"]),
        ])
    func unclear(question: String, parts: [String]) {
        let answer = Self.answer(question)
        #expect(answer.calls.isEmpty, "\(answer.text)")
        for part in parts { #expect(answer.text.contains(part), "\(answer.text)") }
        #expect(parts.count == 1 || answer.text.contains("Send one request at a time."))
    }

    @Test(
        "what the guide cannot do of a message is named beside what it can",
        arguments: [
            ("markets", "chart layout btc 5m in the light theme", ["chart_layout BTC-USD 5m"], "without “light theme”"),
            ("markets", "light theme, chart layout btc 5m", ["chart_layout BTC-USD 5m"], "without “light theme”"),
            ("markets", "chart layout btc 5m with ema 50", ["chart_layout BTC-USD 5m"], "without “50”"),
            ("markets", "alert btc above 70000 by email", ["alert BTC-USD above 70000"], "without “email”"),
            ("markets", "watchlist of btc and dodo", ["watchlist"], "without “dodo”"),
            ("markets", "price of btc and sing a song", [], "nothing about “sing a song”"),
            ("markets", "price of btc and a meal plan", [], "nothing about “a meal plan”"),
            ("nutrition", "meal plan and buy 0.1 BTC", ["meal"], "nothing about “buy 0.1 BTC”"),
            ("nutrition", "meal plan. I was born in Rome", ["meal"], "nothing about “I was born in Rome”"),
            (
                "markets",
                "alert btc at 1, alert btc at 2, alert btc at 3, alert btc at 4, alert btc at 5, alert btc at 6",
                (1...5).map { "alert BTC-USD below \($0)" }, "nothing about “alert btc at 6”"
            ),
        ] as [(String, String, [String], String)])
    func named(type: String, question: String, cards: [String], words: String) {
        let answer = Self.answer(question, type)
        #expect(Self.cards(answer) == cards && answer.text.contains(words), "\(answer.text)")
    }

    @Test("a clause that says something only beside another is not named")
    func sharedClauses() {
        let answer = Self.answer("a workout with a bad knee and hip, no equipment, thanks", "workout")
        #expect(Self.cards(answer) == ["workout"] && !answer.text.contains("nothing about"), "\(answer.text)")
    }

    @Test("a comparison beside another request gets its candles")
    func comparison() throws {
        let question = "Compare BTC and ETH over the last hour, which was stronger and why? And alert eth above 3000"
        let wanted = try #require(Guide.comparison(question, Self.snapshot))
        #expect(wanted.symbols == ["BTC-USD", "ETH-USD"] && wanted.seconds == 3_600)
        #expect(Self.cards(Self.answer(question)) == ["alert ETH-USD above 3000"])
    }

    @Test("two requests in either order make the same cards", arguments: [7])
    func order(seed: UInt64) {
        var random = SeededWords(seed: seed)
        let requests = [
            "alert eth above 3000.", "chart layout btc 5m.", "buy 0.1 sol with stop loss 2 %.", "my positions.",
        ]
        let all = Set(Self.cards(Self.answer(requests.joined(separator: " "))))
        #expect(all.count == 3)
        for _ in 0..<50 {
            let question = random.shuffled(requests)
            let answer = Self.answer(question)
            #expect(Set(Self.cards(answer)) == all && answer.text.contains("no open paper positions"), "\(question)")
        }
    }
}
