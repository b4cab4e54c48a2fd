import Consultation
import StreamCore
import Testing

/// What a user stated about food, exercises and days is respected, or is named.
@Suite struct GuideFactsTests {
    private static func answer(_ messages: [String], _ type: String) -> GuideAnswer {
        Guide.answer(
            messages.last ?? "", in: MarketSnapshot(time: 0), type: ConsultationTypes.builtIn[type],
            earlier: messages.dropLast())
    }

    private static func words(_ answer: GuideAnswer) -> String {
        JSONValue.object(answer.calls.first?.arguments.filter { $0.key == "meals" || $0.key == "exercises" } ?? [:])
            .json
    }

    @Test(
        "foods that are not wanted are in no meal, however that is said",
        arguments: [
            (["I can't eat dairy, meal plan please"], ["\"yoghurt", "feta"]),
            (["I don’t eat fish. Make me a meal plan"], ["salmon"]), (["I do not eat fish", "meal plan"], ["salmon"]),
            (["I never eat salmon or broccoli", "meal plan"], ["salmon", "broccoli"]),
            (["I hate tomatoes, lentils and bread. meal plan"], ["tomatoes", "lentils", "bread"]),
            (["I am not a fan of oats, meal plan"], ["oats"]), (["meal plan, I cannot stand feta"], ["feta"]),
            (["meal plan without carrots, fish or dairy"], ["carrots", "salmon", "feta"]),
            (["I can't tolerate lactose", "I hate potatoes", "meal plan"], ["feta", "potatoes"]),
            (["soy allergy, no fish: meal plan"], ["tofu", "soya", "salmon"]),
            (["I don't want to eat any seafood", "a meal plan please"], ["salmon"]),
            (["I like everything except berries", "meal plan"], ["berries"]),
            (["meal plan, no goat cheese"], ["feta"]),
            (["I want to stop eating fish. Meal plan"], ["salmon"]), (["a meal plan free of gluten"], ["oats"]),
            (["gluten free meal plan"], ["oats", "bread"]),
        ])
    func foods(messages: [String], excluded: [String]) {
        let answer = Self.answer(messages, "nutrition")
        #expect(answer.calls.count == 1, "\(answer.text)")
        for food in excluded { #expect(!Self.words(answer).contains(food), "\(Self.words(answer))") }
        #expect(!answer.text.contains("I do not know"), "\(answer.text)")
    }

    @Test(
        "exercises that are not wanted are in no workout",
        arguments: [
            (["I hate push-ups, a workout please"], ["Push-ups"]), (["workout, I can't squat"], ["Squats"]),
            (["no planks", "workout"], ["Plank"]),
            (["workout without squats and glute bridges"], ["Squats", "bridges"]),
            (["I don't like pushups or planks", "workout"], ["Push-ups", "Plank"]),
        ])
    func exercises(messages: [String], excluded: [String]) {
        let answer = Self.answer(messages, "workout")
        #expect(answer.calls.count == 1, "\(answer.text)")
        for name in excluded { #expect(!Self.words(answer).contains(name), "\(Self.words(answer))") }
        #expect(answer.text.contains("without") && !answer.text.contains("I do not know"), "\(answer.text)")
    }

    @Test(
        "what a plan cannot respect is said in the answer",
        arguments: [
            ("nutrition", "I hate mushrooms, meal plan please", "I do not know “mushrooms”", true),
            ("nutrition", "meal plan, no nightshades", "I do not know “nightshades”", true),
            ("workout", "workout, no kettlebells", "I do not know “kettlebells”", true),
            ("workout", "workout, no jumping", "without jumping", true),
            ("nutrition", "meal plan for 5 days", "It is one day only", true),
            ("nutrition", "a 5-day meal plan", "“5 day”", true), ("nutrition", "weekly meal plan", "“weekly”", true),
            ("nutrition", "meal plan for a week", "“week”", true),
            ("nutrition", "meal plan for three days", "“three days”", true),
            ("nutrition", "a high protein meal plan", "high protein", false),
            ("nutrition", "meal plan, I don't like olives", "without olives", true),
            ("workout", "workout 3 times a week", "It is one workout only", true),
            ("nutrition", "I'm allergic to kiwi, mango. meal plan", "kiwi, allergy or aversion to mango", false),
            ("nutrition", "meal plan, no fish, meat, soy, legumes, oil, rice, potatoes, carrots", "I have no", false),
        ])
    func limits(type: String, question: String, words: String, hasCard: Bool) {
        let answer = Self.answer([question], type)
        #expect(answer.calls.isEmpty != hasCard && answer.text.contains(words), "\(answer.text)")
    }

    @Test("what was stated in another language before is not silently dropped")
    func otherLanguage() {
        let answer = Self.answer(["Ik ben vegetariër en ik eet geen vis", "meal plan please"], "nutrition")
        #expect(answer.calls.count == 1 && answer.text.contains("in another language is not in it"), "\(answer.text)")
    }

    @Test(
        "what limits nothing is not named",
        arguments: [
            "meal plan", "vegetarian meal plan with 1,800 kcal a day", "no, I am not vegan. meal plan please",
            "meal plan for one day", "I have no idea, make a meal plan", "I don't need more than 2,000 kcal, meal plan",
            "I don't eat much, meal plan please", "no problem, a meal plan for today please",
        ])
    func silent(question: String) {
        let answer = Self.answer([question], "nutrition")
        #expect(answer.calls.count == 1, "\(answer.text)")
        for words in ["I do not know", "It is one day only", "without"] {
            #expect(!answer.text.contains(words), "\(answer.text)")
        }
    }
}
