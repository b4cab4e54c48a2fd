import Consultation
import StreamCore
import Synchronization
import Testing

/// The guide in consultations of different types.
@Suite struct GuideTypesTests {
    private static let types = ConsultationTypes.builtIn
    private static let snapshot = MarketSnapshot(
        time: 1_732_269_605, quotes: [.init(symbol: "WREN", price: 10, tickTime: 1_732_269_604)], focus: "WREN")

    private func answer(_ text: String, _ type: String, _ earlier: [String] = []) -> GuideAnswer {
        Guide.answer(text, in: Self.snapshot, type: Self.types[type], earlier: earlier)
    }

    @Test(
        "a type has its own cards, and refuses those of others",
        arguments: [
            ("markets", "meal plan", nil, "no meal plans"), ("markets", "a workout please", nil, "no workouts"),
            ("markets", "alert wren above 20", "create_alert", ""), ("nutrition", "buy 0.1 WREN", nil, "no orders"),
            ("nutrition", "price of WREN", nil, "no prices"), ("nutrition", "my positions", nil, "no positions"),
            ("nutrition", "are the feeds healthy?", nil, "no state of the feeds"),
            ("nutrition", "I want to lose weight", "create_meal", ""),
            ("nutrition", "help me sleep", "create_wellness", ""),
            ("nutrition", "order food", "create_meal", ""), ("workout", "a workout please", "create_workout", ""),
            ("workout", "meal plan", nil, "no meal plans"), ("mood", "meal plan", "create_meal", ""),
            ("mood", "sell 1 WREN", nil, "no orders"),
        ] as [(String, String, String?, String)])
    func own(type: String, question: String, tool: String?, words: String) {
        let answer = answer(question, type)
        #expect(answer.calls.first?.name == tool && answer.text.contains(words), "\(answer.text)")
        if type != "markets" {
            #expect(!answer.text.contains("WREN") && !answer.text.contains("10.00"), "\(answer.text)")
        }
        // What a type cannot do, its help does not offer.
        let help = self.answer("what can you do?", type).text
        #expect(help.contains("meal plan") == (type == "nutrition" || type == "mood"))
        #expect(help.contains("buy 0.1") == (type == "markets"))
    }

    /// Words of a card: names of foods and exercises.
    private func words(_ answer: GuideAnswer) -> String { JSONValue.object(answer.calls.first?.arguments ?? [:]).json }

    @Test(
        "a meal plan respects what was stated anywhere in the conversation",
        arguments: [
            (["I am vegetarian", "meal plan"], ["salmon"], 1_800),
            (["vegan meal plan with 2,400 kcal"], ["feta", "salmon"], 2_400),
            (["vegetarian, 1500kcal, no soy", "meal plan please"], ["salmon", "tofu", "soya"], 1_500),
            (["I am allergic to fish and dairy. meal plan"], ["salmon", "feta"], 1_800),
            (["gluten-free meal plan"], ["oats", "bread"], 1_800),
            (["vegan", "no, I am not vegan", "I am lactose intolerant: meal plan"], ["feta"], 1_800),
        ] as [([String], [String], Int)])
    func meals(messages: [String], excluded: [String], energy: Int) throws {
        let answer = answer(messages.last ?? "", "nutrition", messages.dropLast())
        let call = try #require(answer.calls.first, "\(answer.text)")
        for food in excluded { #expect(!words(answer).contains(food), "\(words(answer))") }
        let meals = try #require(call.arguments["meals"]?.elements)
        let total = meals.reduce(0) { $0 + ($1["calories"]?.integer ?? 0) }
        #expect((total - energy).magnitude <= energy / 40, "\(total) kcal for \(energy)")
        #expect(
            answer.text.contains("\(MarketSnapshot.grouped("\(total)")) kcal")
                && answer.text.contains("no medical advice"))
    }

    @Test("a vegan day has nothing from animals, and one that was no longer vegan may")
    func diets() {
        #expect(words(answer("vegan meal plan", "nutrition")).contains("soya yoghurt"))
        #expect(words(answer("meal plan", "nutrition", ["I am vegan", "I am not vegan"])).contains("salmon"))
    }

    @Test(
        "what cannot be respected is said, and there is no card",
        arguments: [
            ("nutrition", "keto meal plan", "keto"), ("nutrition", "meal plan, I am diabetic", "diabetic"),
            ("nutrition", "meal plan, I am allergic to kiwi", "kiwi"),
            ("nutrition", "meal plan with 600 kcal", "600 kcal"),
            ("nutrition", "meal plan with less salt", "less salt"), ("workout", "workout, I am pregnant", "pregnant"),
            ("workout", "workout of 300 minutes", "300 minutes"),
            ("workout", "workout with bad knee, hip, shoulder, back, ankle, elbow, neck and wrist", "do not strain"),
        ])
    func unmet(type: String, question: String, words: String) {
        let answer = answer(question, type)
        #expect(
            answer.calls.isEmpty && answer.text.contains(words) && answer.text.contains("I make no"), "\(answer.text)")
    }

    @Test(
        "a workout leaves out what strains an injury",
        arguments: [
            (["I have a bad knee", "workout"], ["Squats", "knee extensions", "marching"]),
            (["workout of 20 minutes, my wrist hurts"], ["Push-ups", "Wrist"]),
            (["workout, pain in my back"], ["Squats", "Plank"]),
        ])
    func injuries(messages: [String], excluded: [String]) {
        let answer = answer(messages.last ?? "", "workout", messages.dropLast())
        #expect(answer.calls.count == 1)
        for name in excluded { #expect(!words(answer).contains(name), "\(words(answer))") }
    }

    @Test(
        "a question in another language is answered in it: there are English texts only",
        arguments: [
            ("Kaufe 0,1 BTC mit Stop Loss bei 60000", "auf Englisch"),
            ("Ich möchte einen Ernährungsplan", "auf Englisch"),
            ("Je veux un plan de repas sans viande", "en anglais"), ("Quiero comprar 0.1 WREN", "en inglés"),
            ("Vorrei comprare 0.1 WREN", "in inglese"), ("Quero uma refeição sem carne", "em inglês"),
            ("Какая цена WREN?", "English only"), ("WRENの価格は？", "English only"),
            ("Ik ben vegetariër, maak een meal plan voor mij", "in het Engels"),
            ("Kup 0.05 BTC ze stop loss 2 %", "po angielsku"), ("Jaka jest cena WREN?", "po angielsku"),
            ("Köp 0.1 WREN med stop loss 2 %", "på engelska"), ("Vad är priset på WREN?", "på engelska"),
            ("0.1 WREN satın al lütfen", "İngilizce"), ("WREN fiyatı nedir?", "İngilizce"),
            ("Wat is de prijs van WREN?", "in het Engels"), ("Koop 0.1 WREN", "in het Engels"),
            ("Tolong beli 0.1 WREN dengan stop loss 2 %", "English only"), ("Mua 0.1 WREN", "English only"),
            ("Vegyél 0.1 WREN részvényt", "English only"), ("Osta 0.1 WREN", "English only"),
            ("Hva er prisen på WREN?", "English only"), ("Cumpără 0.1 WREN", "English only"),
            // A language of which no word is known.
            ("nunua hisa kumi leo asubuhi", "English only"),
        ])
    func languages(question: String, words: String) {
        for type in ["markets", "nutrition"] {
            let answer = answer(question, type)
            #expect(answer.calls.isEmpty && answer.text.contains(words), "\(answer.text)")
        }
    }

    @Test(
        "English questions have no notice",
        arguments: [
            "price", "wren?", "meal plan", "what do you do?", "sell 1 WREN", "no meat, 1,800 kcal", "a workout please",
            "Write me a poem about the sea", "no plan", "eth", "price btc", "kraken:ETH/USD rsi", "El Pollo Loco?",
            "price of Las Vegas Sands", "Société Générale", "how is Nestlé doing?", "Deutsche Telekom price",
            "Banco do Brasil", "la-z-boy", "Taiwan Semiconductor Manufacturing", "att stock?", "Van Eck and Die Welt",
            "gluten free pancakes", "squats lunges burpees jumps planks", "alert Wren above 20, thanks",
            "Compare BTC and ETH over the last 7 days, which was stronger and why?", "vegan, 2,400 kcal, no soy",
            "I can't eat dairy, meal plan please", "20 min", "stop loss", "chart layout 5m bollinger macd rsi",
        ])
    func english(question: String) {
        for type in ["markets", "nutrition", "workout"] {
            #expect(!answer(question, type).text.contains("English only"), "\(type)")
        }
    }

    private static func request(_ text: String) -> AnswerRequest {
        AnswerRequest(conversation: "c", answer: "a", user: "u", kind: "k", messages: [ModelMessage(.user, text)])
    }

    @Test("without a context the live state is never looked up")
    func noContext() async {
        let looks = Mutex(0)
        let model = GuideModel(
            type: Self.types["nutrition"], past: { _, _ in [] }, sleep: { _ in },
            snapshot: { _ in
                looks.withLock { $0 += 1 }
                return Self.snapshot
            })
        for text in ["buy 0.1 WREN", "price of WREN", "meal plan"] {
            for await event in model.answer(Self.request(text)) {
                if case .text(let text) = event { #expect(!text.contains("WREN")) }
            }
        }
        #expect(looks.withLock { $0 } == 0)
    }

    @Test("the guide pauses after each word, and a long answer takes no longer than three seconds more")
    func pace() async {
        let sleeps = Mutex<[Double]>([])
        let model = GuideModel(
            sleep: { seconds in sleeps.withLock { $0.append(seconds) } }, snapshot: { _ in Self.snapshot })
        var words = 0
        for await event in model.answer(Self.request("what can you do?")) { if case .text = event { words += 1 } }
        let all = sleeps.withLock { $0 }
        #expect(words > 30 && all.count == words && all.allSatisfy { $0 > 0.01 && $0 <= 0.03 })
        #expect(all.reduce(0, +) <= 3)
    }
}
