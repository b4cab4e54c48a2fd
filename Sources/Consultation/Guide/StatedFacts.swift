/// What a user stated about food, body and time, in all messages of a conversation; what was said last counts.
struct StatedFacts {
    enum Diet: String { case vegan, vegetarian, pescatarian }

    private(set) var diet: Diet?
    /// Calories of a day, in kcal.
    private(set) var energy: Int?
    /// Tags and names of foods that must not be in a plan.
    private(set) var avoided: Set<String> = []
    /// Parts of the body that are not to be strained.
    private(set) var injuries: Set<String> = []
    private(set) var minutes: Int?
    /// What the built-in plans cannot respect, as it was written.
    private(set) var unmet: [String] = []

    init(_ messages: [String]) {
        for message in messages { read(GuideQuestion(message, in: MarketSnapshot(time: 0))) }
    }

    private mutating func read(_ question: GuideQuestion) {
        let words = question.words
        let hurts = question.has(
            "bad", "hurt", "hurts", "hurting", "pain", "painful", "injured", "injury", "sore", "problem", "problems",
            "broken",
            "torn", "sprained", "aching", "aches", "weak", "surgery")
        for (index, word) in words.enumerated() {
            let previous = index > 0 ? words[index - 1] : ""
            let isDenied = ["not", "no", "longer", "never", "isn't"].contains(previous)
            if let found = Diet(rawValue: word) { diet = isDenied ? nil : found }
            if let part = Self.bodyParts[word], hurts { injuries.insert(part) }
            if Self.unsupported.contains(word), !isDenied || hurts { note(word) }
            if Self.nutrients.contains(word),
                ["no", "low", "less", "without", "little", "reduced", "g"].contains(previous)
            {
                note("\(previous) \(word)")
            }
            if word.hasSuffix("-free"), let tags = Self.foods[String(word.dropLast(5))] { avoided.insert(tags) }
            if let unit = Self.energyUnits.first(where: { word.hasSuffix($0) }) {
                let number = word == unit ? previous : String(word.dropLast(unit.count))
                energy = Int(number.filter { $0 != "," && $0 != "." }) ?? energy
            }
            if ["minutes", "minute", "min", "mins"].contains(word) { minutes = Int(previous) ?? minutes }
            if ["without", "no", "avoid", "allergic", "allergy", "intolerant", "intolerance"].contains(word) {
                readAvoided(
                    words, after: index, isStrict: word.hasPrefix("aller") || word.hasPrefix("intol") || word == "avoid"
                )
            }
            if ["allergy", "intolerance", "intolerant"].contains(word), let tag = Self.foods[previous] {
                avoided.insert(tag)
            }
        }
    }

    /// Foods behind `allergic to`, `without` and the like.
    /// - Parameter isStrict: a food that is not known must not be ignored.
    private mutating func readAvoided(_ words: [String], after index: Int, isStrict: Bool) {
        var found = Self.foods[index > 0 ? words[index - 1] : ""] != nil
        for word in words.dropFirst(index + 1).prefix(8) {
            if let tag = Self.foods[word] {
                avoided.insert(tag)
                found = true
            } else if !["to", "and", "or", "any", "of", "the", "all", "against", "is"].contains(word) {
                if isStrict, !found, !word.isEmpty { note("allergy or aversion to \(word)") }
                return
            }
        }
    }

    private mutating func note(_ text: String) { if !unmet.contains(text) { unmet.append(text) } }

    private static let energyUnits = ["kcal", "kcals", "calories", "kilocalories"]

    /// Words for foods, with the tag that dishes have.
    static let foods: [String: String] = [
        "meat": "meat", "fish": "fish", "salmon": "fish", "seafood": "fish", "dairy": "dairy", "lactose": "dairy",
        "milk": "dairy", "cheese": "dairy", "yoghurt": "dairy", "yogurt": "dairy", "feta": "dairy", "egg": "egg",
        "eggs": "egg", "gluten": "gluten", "wheat": "gluten", "bread": "gluten", "oats": "gluten", "nut": "nuts",
        "nuts": "nuts", "peanut": "nuts", "peanuts": "nuts", "soy": "soy", "soya": "soy", "tofu": "soy",
        "seeds": "seeds",
        "sesame": "seeds", "lentils": "legumes", "chickpeas": "legumes", "beans": "legumes", "legumes": "legumes",
        "potato": "potatoes", "potatoes": "potatoes", "broccoli": "broccoli", "tomato": "tomatoes",
        "tomatoes": "tomatoes",
        "berries": "berries", "banana": "bananas", "bananas": "bananas", "apple": "apples", "apples": "apples",
        "rice": "rice", "pork": "meat", "beef": "meat", "chicken": "meat", "shellfish": "fish", "honey": "honey",
    ]

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
