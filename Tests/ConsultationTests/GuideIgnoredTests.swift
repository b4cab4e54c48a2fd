import Consultation
import StreamCore
import Testing

/// A word inside a request that changes nothing of the answer is named, as a whole clause is.
@Suite struct GuideIgnoredTests {
    private static let now = 1_732_269_605.0
    private static let snapshot = MarketSnapshot(
        time: now,
        quotes: [
            .init(symbol: "BTC-USD", price: 67_234.5, tickTime: now - 1, changePercent24h: 1.5),
            .init(
                symbol: "ETH-USD", price: 2_500, tickTime: now - 1, changePercent24h: -2,
                indicators: [.init(name: "RSI 14", value: 55, time: now - 5)]),
            .init(symbol: "SOL-USD", price: 150, tickTime: now - 1, changePercent24h: 0.3),
        ], feeds: [.init(name: "kraken", isConnected: true, lastTradeAt: now - 2)], focus: "BTC-USD")

    private static func answer(_ text: String, _ type: String) -> GuideAnswer {
        Guide.answer(text, in: snapshot, type: ConsultationTypes.builtIn[type])
    }

    @Test(
        "what was not respected is named",
        arguments: [
            ("nutrition", "a vegan meal plan with lots of protein", "“lots”, “protein”"),
            ("nutrition", "protein-rich meal plan please", "“protein-rich”"),
            ("nutrition", "meal plan rich in fibre", "“rich”, “fibre”"),
            ("nutrition", "meal plan with chicken", "“chicken”"),
            ("nutrition", "meal plan between 1800 and 2000 kcal", "“1800”"),
            ("nutrition", "meal plan with 8000 kJ", "“8000 kj”"),
            ("nutrition", "cheap meal plan for a family of four", "“cheap”, “family”, “four”"),
            ("nutrition", "meal plan for someone with gout", "“gout”"),
            ("nutrition", "recipe for lentil soup", "“lentil soup”"),
            ("nutrition", "wellness routine for a pregnant woman", "“pregnant woman”"),
            ("nutrition", "meal plan, under 20 minutes", "“under 20 minutes”"),
            ("nutrition", "I want to lose 5 kg in 2 months, meal plan", "“5 kg”"),
            ("workout", "upper body workout", "“upper body”"), ("workout", "workout with dumbbells", "“dumbbells”"),
            ("workout", "high intensity workout with bad knees", "“high intensity”"),
            ("workout", "vegan workout", "“vegan”"), ("workout", "workout twice a day", "“twice”"),
            ("markets", "What was the high of BTC yesterday?", "“yesterday”"),
            ("markets", "Why did BTC fall?", "“why”, “fall”"), ("markets", "price of BTC in euros", "“euros”"),
            ("markets", "bid and ask of BTC", "“bid”, “ask”"), ("markets", "what is the volume of SOL?", "“volume”"),
            ("markets", "close my BTC position", "“close”"), ("markets", "top 3 gainers", "“3”"),
            ("markets", "compare BTC with gold", "“gold”"), ("markets", "draw a trend line on BTC", "“trend line”"),
        ])
    func named(type: String, question: String, words: String) {
        let answer = Self.answer(question, type)
        #expect(answer.text.contains("I have done nothing about") && answer.text.contains(words), "\(answer.text)")
    }

    @Test(
        "what was respected is not",
        arguments: [
            ("nutrition", "I'd like a meal plan that is vegetarian and has around 2,000 calories per day, thank you"),
            ("nutrition", "vegetarian, 1,800 kcal, no nuts: breakfast, lunch and dinner"),
            ("nutrition", "meal plan, I am allergic to nuts and peanuts"),
            ("nutrition", "no olives please, meal plan"), ("nutrition", "meal plan, no goat cheese"),
            ("workout", "workout without equipment, at home"), ("workout", "workout, my bad knee hurts"),
            ("workout", "bad back and sore wrists, 15 min workout"), ("workout", "a 20-minute workout"),
            ("markets", "what's bitcoin trading at right now?"), ("markets", "What is the price and RSI of ETH?"),
            ("markets", "BTC vs ETH 24h"), ("markets", "Which was stronger over the last 7 days, BTC or ETH, and why?"),
            ("markets", "who are the gainers today?"), ("markets", "is the BTC feed stale?"),
            ("markets", "what's my P&L?"),
        ])
    func silent(type: String, question: String) {
        let answer = Self.answer(question, type)
        #expect(!answer.text.contains("nothing about") && !answer.text.contains("I can answer"), "\(answer.text)")
    }

    @Test("a plan for a person with a knee and one with a diet, in one message, respect both")
    func bothPlans() {
        var type = ConsultationTypes.builtIn["nutrition"]
        type.templates.append(.workout)
        let answer = Guide.answer(
            "I'm vegan, I have a bad knee, a meal plan and a workout please", in: Self.snapshot, type: type)
        #expect(answer.calls.count == 2 && !answer.text.contains("nothing about"), "\(answer.text)")
    }

    @Test("olives are no olive oil")
    func olives() {
        func meals(_ question: String) -> String? {
            Self.answer(question, "nutrition").calls.first?.arguments["meals"]?.json
        }
        #expect(meals("vegan meal plan, I don't like olives")?.contains("olive oil") == true)
        #expect(meals("meal plan without dairy")?.contains("olive oil") == true)
        #expect(meals("meal plan without dairy, I don't like olive oil")?.contains("olive oil") == false)
    }

    @Test(
        "minutes are read in hours, too",
        arguments: [
            ("a 20-minute workout", "20 minutes"), ("half an hour workout", "30 minutes"),
            ("workout for an hour", "60 minutes"), ("workout for two hours", "no workout of 120 minutes"),
            ("workout for 99999999999999999999 hours", "no workout of 60000 minutes"),
        ])
    func hours(question: String, words: String) {
        let answer = Self.answer(question, "workout")
        #expect(answer.text.contains(words), "\(answer.text)")
    }

    @Test(
        "an answer is about what was requested",
        arguments: [
            ("nutrition", "what should I eat for dinner?", ["a whole day: I cannot plan a dinner alone"], []),
            ("nutrition", "is coffee healthy?", ["I can answer"], ["feeds"]),
            ("markets", "biggest losers", ["ETH-USD"], ["BTC-USD", "SOL-USD"]),
            ("markets", "who are the gainers?", ["BTC-USD", "SOL-USD"], ["ETH-USD"]),
            ("markets", "rsi and macd of eth", ["RSI 14 55.00", "There is no MACD on the chart."], []),
        ] as [(String, String, [String], [String])])
    func subject(type: String, question: String, included: [String], excluded: [String]) {
        let text = Self.answer(question, type).text
        for words in included { #expect(text.contains(words), "\(text)") }
        for words in excluded { #expect(!text.contains(words), "\(text)") }
    }

    @Test("a long message of unknown words is answered fast, and names few of them")
    func long() {
        let words = (0..<290).map { "word\($0)" }.joined(separator: " ")
        let clock = ContinuousClock()
        let start = clock.now
        let answer = Self.answer("meal plan with \(words)", "nutrition")
        #expect(start.duration(to: clock.now) < .seconds(5))
        #expect(answer.text.contains("…”") && answer.text.utf8.count < 1_000, "\(answer.text)")
    }
}
