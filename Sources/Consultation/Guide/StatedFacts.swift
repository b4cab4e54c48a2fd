/// What a user stated about food, body and time, in all messages of a conversation; what was said last counts.
struct StatedFacts: Equatable {
    enum Diet: String { case vegan, vegetarian, pescatarian }

    private(set) var diet: Diet?
    /// Calories of a day, in kcal.
    private(set) var energy: Int?
    /// Tags of foods that must not be in a plan.
    private(set) var avoided: Set<String> = []
    /// Tags of exercises that must not be in a plan.
    private(set) var avoidedExercises: Set<String> = []
    /// What is to be avoided and is neither a food nor an exercise of these lists, as it was written.
    private(set) var unknown: [String] = []
    /// A number of days, weeks or months, as it was written.
    private(set) var days: String?
    /// Meals of a day that are named.
    private var meals: Set<String> = []
    /// Parts of the body that are not to be strained.
    private(set) var injuries: Set<String> = []
    private(set) var minutes: Int?
    /// What the built-in plans cannot respect, as it was written.
    private(set) var unmet: [String] = []

    init(_ messages: [String]) {
        let nothing = MarketSnapshot(time: 0)
        for message in messages {
            let hurts = GuideQuestion(message, in: nothing).has(Self.complaints)
            // A list of foods goes on after a comma, and ends with its sentence.
            let text = message.prefix(2_000).replacing(", ", with: " and ")
            var start = text.startIndex
            for end in text.indices where ".;!?\n".contains(text[end]) {
                let next = text.index(after: end)
                guard next == text.endIndex || text[next].isWhitespace || text[end] == "\n" else { continue }
                read(GuideQuestion(String(text[start..<next]), in: nothing).words, hurts)
                start = next
            }
            read(GuideQuestion(String(text[start...]), in: nothing).words, hurts)
        }
    }

    private mutating func read(_ words: [String], _ hurts: Bool) {
        for (index, word) in words.enumerated() {
            let previous = index > 0 ? words[index - 1] : ""
            let isDenied = ["not", "no", "longer", "never", "isn't"].contains(previous)
            if let found = Diet(rawValue: word) { diet = isDenied ? nil : found }
            if let part = Self.bodyParts[word], hurts { injuries.insert(part) }
            if Self.unsupported.contains(word), !isDenied || hurts { note(word) }
            if Self.nutrients.contains(word),
                ["g", "high", "less", "little", "low", "more", "no", "reduced", "without"].contains(previous)
            {
                note("\(previous) \(word)")
            }
            if let unit = Self.energyUnits.first(where: { word.hasSuffix($0) }) {
                let number = word == unit ? previous : String(word.dropLast(unit.count))
                energy = Int(number.filter { $0 != "," && $0 != "." }) ?? energy
            }
            if Self.meals.contains(word) { meals.insert(word) }
            readTimes(words, at: index)
        }
        let avoidance = Avoidance(words)
        avoided.formUnion(avoidance.foods)
        avoidedExercises.formUnion(avoidance.exercises)
        for word in avoidance.unknown where !unknown.contains(word) { unknown.append(word) }
        for word in avoidance.unmet { note("allergy or aversion to \(word)") }
    }

    /// `20 minutes`, `half an hour`, `5 days`, `5-day`, `a week`; not `1,800 kcal a day`.
    private mutating func readTimes(_ words: [String], at index: Int) {
        let previous = index > 0 ? words[index - 1] : ""
        let parts = words[index].split(separator: "-").map(String.init)
        let (count, unit) = parts.count == 2 ? (parts[0], parts[1]) : (previous, words[index])
        let isMany = (Int(count) ?? 0) > 1 || Self.counts.contains(count)
        switch unit {
        case "minutes", "minute", "min", "mins": minutes = Int(count) ?? minutes
        case "hour", "hours", "hr":
            let isHalf = words[..<index].suffix(2).contains("half")
            guard let hours = isHalf ? 0.5 : ["a": 1, "an": 1, "one": 1, "two": 2][count] ?? Double(count) else {
                break
            }
            minutes = Int(max(0, min(hours, 1_000)) * 60)
        case "day" where isMany, "days" where isMany: days = "\(count) \(unit)"
        case "week", "weeks", "weekly", "month", "months", "monthly", "fortnight":
            days = isMany ? "\(count) \(unit)" : unit
        default: break
        }
    }

    /// What plans of these kinds respect of this.
    func respected(by plans: Set<GuideTopic.Subject>) -> StatedFacts {
        guard plans.contains(.meal) || plans.contains(.workout) else { return StatedFacts([]) }
        var facts = self
        if !plans.contains(.meal) { (facts.diet, facts.energy, facts.avoided, facts.meals) = (nil, nil, [], []) }
        if !plans.contains(.workout) { (facts.injuries, facts.minutes, facts.avoidedExercises) = ([], nil, []) }
        return facts
    }

    /// Whether a word says what the facts already have: a second word for a food, or one of a sentence about facts.
    func has(_ word: String) -> Bool {
        avoids(word) || Self.bodyParts[word].map(injuries.contains) == true || unknown.contains(word)
            || unmet.contains { $0.hasSuffix(word) } || Self.complaints.contains(word)
            || Self.energyUnits.contains(word) || Avoidance.vocabulary.contains(word)
    }

    /// Whether a food or an exercise of this name is in no plan.
    func avoids(_ word: String) -> Bool {
        Self.foods[word].map(avoided.contains) == true || WorkoutPlan.words[word].map(avoidedExercises.contains) == true
    }

    /// What a plan cannot do of this, in sentences.
    /// - Parameters:
    ///   - one: what the plan is.
    ///   - list: what it is made of.
    func limits(_ one: String, _ list: String) -> [String] {
        var sentences: [String] = []
        if let days { sentences.append("It is \(one) only: I cannot plan more at once (you mention “\(days)”).") }
        if list == "dishes", meals.count == 1, let meal = meals.first {
            sentences.append("It is a whole day: I cannot plan a \(meal) alone.")
        }
        if !unknown.isEmpty {
            sentences.append(
                "I do not know \(unknown.map { "“\($0)”" }.joined(separator: ", ")), so check the \(list) for that yourself."
            )
        }
        return sentences
    }

    private mutating func note(_ text: String) { if !unmet.contains(text) { unmet.append(text) } }

    private static let complaints: Set<String> = [
        "aches", "aching", "bad", "broken", "hurt", "hurting", "hurts", "injured", "injury", "pain", "painful",
        "problem",
        "problems", "sore", "sprained", "surgery", "torn", "weak",
    ]

    private static let counts: Set<String> = [
        "couple", "eight", "few", "five", "four", "nine", "seven", "several", "six", "ten", "three", "two",
    ]

    private static let meals: Set<String> = ["breakfast", "dinner", "lunch", "snack", "supper"]

    private static let energyUnits = ["kcal", "kcals", "calories", "kilocalories"]

    /// Words for foods, with the tag that dishes have; a food of a dish is a tag of its own.
    static let foods: [String: String] = [
        "apple": "apples", "bacon": "meat", "banana": "bananas", "bean": "legumes", "beans": "legumes", "beef": "meat",
        "berry": "berries", "bread": "gluten", "butter": "dairy", "cheese": "dairy", "chicken": "meat",
        "chickpea": "legumes", "chickpeas": "legumes", "cream": "dairy", "dairy": "dairy", "egg": "egg", "eggs": "egg",
        "feta": "dairy", "fish": "fish", "fruit": "fruit", "fruits": "fruit", "gluten": "gluten", "grains": "grains",
        "ham": "meat", "honey": "honey", "lactose": "dairy", "legumes": "legumes", "lentil": "legumes",
        "lentils": "legumes", "meat": "meat", "milk": "dairy", "nut": "nuts", "nuts": "nuts", "oats": "gluten",
        "olive": "olives", "olives": "olives",
        "peanut": "nuts", "peanuts": "nuts", "pork": "meat", "prawns": "fish", "salmon": "fish", "seafood": "fish",
        "seeds": "seeds", "sesame": "seeds", "shellfish": "fish", "shrimp": "fish", "shrimps": "fish", "soy": "soy",
        "soya": "soy", "tofu": "soy", "tuna": "fish", "turkey": "meat", "wheat": "gluten", "yoghurt": "dairy",
        "yogurt": "dairy",
    ].merging(MealPlan.words.map { ($0, $0) }) { tag, _ in tag }

    private static let bodyParts = [
        "knee": "knee", "knees": "knee", "back": "back", "shoulder": "shoulder", "shoulders": "shoulder",
        "wrist": "wrist",
        "wrists": "wrist", "ankle": "ankle", "ankles": "ankle", "hip": "hip", "hips": "hip", "elbow": "elbow",
        "elbows": "elbow", "neck": "neck", "foot": "ankle", "feet": "ankle",
    ]

    private static let nutrients: Set<String> = ["carbs", "carb", "sugar", "salt", "sodium", "fat", "protein"]

    private static let unsupported: Set<String> = [
        "keto", "ketogenic", "low-carb", "low-fat", "high-protein", "fodmap", "diabetic", "diabetes", "halal", "kosher",
        "pregnant", "pregnancy", "paleo", "kidney", "insulin", "heart", "asthma", "dizzy",
    ]
}
