internal import StreamCore

/// A day of meals from a list of dishes, with what the user stated: no dish against it, and portions for its energy.
enum MealPlan {
    private struct Food {
        var name: String
        /// Of a portion, before it is scaled.
        var grams: Double
        /// Energy of 100 g.
        var energy: Double
        /// What is in it, beside its own words: tags of `StatedFacts.foods`.
        var tags: Set<String> = []

        /// Of its name, without those that say how it is prepared.
        var words: [String] {
            name.split(separator: " ").map(String.init).filter { !["cooked", "puffed", "wholegrain"].contains($0) }
        }

        func has(_ avoided: Set<String>) -> Bool {
            !avoided.isDisjoint(with: tags) || words.contains(where: avoided.contains)
        }
    }

    private static let range = 1_200...4_000
    private static let usualEnergy = 1_800
    private static let animal: [StatedFacts.Diet: Set<String>] = [
        .vegan: ["meat", "fish", "dairy", "egg", "honey"], .vegetarian: ["meat", "fish"], .pescatarian: ["meat"],
    ]

    /// By meal, the dishes in the order of preference. Energy values are those of common food tables, rounded.
    private static let dishes: [(meal: String, dishes: [[Food]])] = [
        (
            "Breakfast",
            [
                [oats, Food(name: "yoghurt", grams: 150, energy: 62, tags: ["dairy"]), berries],
                [oats, Food(name: "soya yoghurt", grams: 150, energy: 60, tags: ["soy"]), berries],
                [
                    Food(name: "puffed rice", grams: 50, energy: 385, tags: ["grains"]),
                    Food(name: "banana", grams: 120, energy: 89, tags: ["bananas", "fruit"]),
                    Food(name: "pumpkin seeds", grams: 20, energy: 560, tags: ["seeds"]),
                ],
                [
                    Food(name: "buckwheat", grams: 80, energy: 340, tags: ["grains"]),
                    Food(name: "pears", grams: 150, energy: 57, tags: ["fruit"]),
                    Food(name: "olive oil", grams: 10, energy: 884),
                ],
            ]
        ),
        (
            "Lunch",
            [
                [
                    lentils, Food(name: "feta", grams: 50, energy: 265, tags: ["dairy"]),
                    Food(name: "wholegrain bread", grams: 80, energy: 250, tags: ["gluten", "grains"]),
                ],
                [lentils, rice, tomatoes, oil],
                [
                    rice, Food(name: "carrots", grams: 200, energy: 41), Food(name: "avocado", grams: 100, energy: 160),
                    oil,
                ],
                [
                    Food(name: "cooked quinoa", grams: 250, energy: 120, tags: ["grains"]),
                    Food(name: "carrots", grams: 200, energy: 41),
                    Food(name: "avocado", grams: 120, energy: 160),
                ],
            ]
        ),
        (
            "Dinner",
            [
                [Food(name: "salmon", grams: 130, energy: 208, tags: ["fish"]), potatoes, broccoli],
                [Food(name: "tofu", grams: 200, energy: 125, tags: ["soy"]), potatoes, broccoli, oil],
                [Food(name: "cooked chickpeas", grams: 200, energy: 164, tags: ["legumes"]), potatoes, broccoli, oil],
                [
                    Food(name: "cooked quinoa", grams: 250, energy: 120, tags: ["grains"]),
                    Food(name: "courgettes", grams: 250, energy: 17), oil,
                ],
            ]
        ),
    ]

    private static let oats = Food(name: "oats", grams: 60, energy: 380, tags: ["gluten", "grains"])
    private static let berries = Food(name: "berries", grams: 100, energy: 50, tags: ["fruit"])
    private static let lentils = Food(name: "cooked lentils", grams: 200, energy: 116, tags: ["legumes"])
    private static let rice = Food(name: "cooked rice", grams: 180, energy: 130, tags: ["grains"])
    private static let tomatoes = Food(name: "tomatoes", grams: 150, energy: 18)
    private static let potatoes = Food(name: "potatoes", grams: 250, energy: 77)
    private static let broccoli = Food(name: "broccoli", grams: 200, energy: 34)
    private static let oil = Food(name: "olive oil", grams: 15, energy: 884)

    /// Of the names of all foods, of which `olive oil` is two.
    static let words = Set(dishes.flatMap(\.dishes).flatMap { $0 }.flatMap(\.words))

    static func answer(_ facts: StatedFacts, _ notes: [String]) -> GuideAnswer {
        guard facts.unmet.isEmpty else {
            return GuideAnswer(
                "I make no meal plan: my list of dishes cannot respect what you stated (\(facts.unmet.joined(separator: ", ")))."
            )
        }
        let energy = facts.energy ?? usualEnergy
        guard range.contains(energy) else {
            return GuideAnswer(
                "I make no meal plan of \(kcal(energy)): I plan days from \(kcal(range.lowerBound)) to "
                    + "\(kcal(range.upperBound))."
            )
        }
        let avoided = facts.avoided.union(facts.diet.flatMap { animal[$0] } ?? [])
        var chosen: [(meal: String, foods: [Food])] = []
        for (meal, options) in dishes {
            guard let dish = options.first(where: { !$0.contains { $0.has(avoided) } }) else {
                return GuideAnswer("I make no meal plan: I have no \(meal.lowercased()) without \(sorted(avoided)).")
            }
            chosen.append((meal, dish))
        }
        return card(scaled(chosen, to: Double(energy)), facts, notes)
    }

    /// Portions of whole 5 g, so that the day has about this energy.
    private static func scaled(
        _ meals: [(meal: String, foods: [Food])], to energy: Double
    ) -> [(meal: String, foods: [Food])] {
        let usual = meals.flatMap(\.foods).reduce(0) { $0 + $1.grams * $1.energy / 100 }
        return meals.map { meal, foods in
            let portions = foods.map { food in
                var food = food
                food.grams = max(5, (food.grams * energy / usual / 5).rounded() * 5)
                return food
            }
            return (meal, portions)
        }
    }

    private static func card(
        _ meals: [(meal: String, foods: [Food])], _ facts: StatedFacts, _ notes: [String]
    ) -> GuideAnswer {
        var total = 0
        let listed = meals.map { meal, foods -> JSONValue in
            let energy = Int(foods.reduce(0) { $0 + $1.grams * $1.energy / 100 }.rounded())
            total += energy
            return [
                "name": .string(meal), "items": .array(foods.map { "\($0.name) \(Int($0.grams)) g" }),
                "calories": .number(Double(energy)),
            ]
        }
        var words = ["about \(kcal(total))"]
        if let diet = facts.diet { words.append(diet.rawValue) }
        if !facts.avoided.isEmpty { words.append("without \(sorted(facts.avoided))") }
        let what = words.joined(separator: ", ")
        return GuideAnswer(
            (["Here is a day of meals: \(what)."] + facts.limits("one day", "dishes") + notes).joined(separator: " "),
            tool: "create_meal",
            ["name": "Balanced day", "description": .string("Three meals, \(what)."), "meals": .array(listed)])
    }

    private static func kcal(_ energy: Int) -> String { "\(MarketSnapshot.grouped("\(energy)")) kcal" }

    private static func sorted(_ tags: Set<String>) -> String { tags.sorted().joined(separator: ", ") }
}
