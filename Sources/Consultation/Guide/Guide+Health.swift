internal import StreamCore

extension Guide {
    /// The source document's three kinds: plain, sensible starting points, and no advice of a physician.
    static func health(_ question: GuideQuestion) -> GuideAnswer? {
        if question.has("meal", "meals", "nutrition", "diet", "eat", "food", "recipe", "weight") { return meal }
        if question.has("workout", "exercise", "exercises", "training", "gym", "fitness", "muscle") { return workout }
        if question.has("wellness", "sleep", "stress", "relax", "relaxation", "meditation", "mood") { return wellness }
        return nil
    }

    private static let note = "It is a general starting point and no medical advice."

    private static let meal = GuideAnswer(
        "Here is a simple day of meals with plenty of protein and vegetables. \(note)",
        calls: [
            ToolCall(
                name: "create_meal",
                arguments: [
                    "name": "Balanced day", "description": "Three meals, about 1,800 kcal.",
                    "meals": [
                        ["name": "Breakfast", "items": ["Oats", "Yoghurt", "Berries"], "calories": 450],
                        ["name": "Lunch", "items": ["Lentil salad", "Feta", "Wholegrain bread"], "calories": 650],
                        ["name": "Dinner", "items": ["Baked fish or tofu", "Potatoes", "Broccoli"], "calories": 700],
                    ],
                ])
        ])

    private static let workout = GuideAnswer(
        "Here is a workout of half an hour without equipment. \(note)",
        calls: [
            ToolCall(
                name: "create_workout",
                arguments: [
                    "name": "Half an hour, no equipment", "description": "Whole body, three times a week.",
                    "exercises": [
                        ["name": "Brisk walk or skipping", "minutes": 5], ["name": "Squats", "sets": 3, "reps": 12],
                        ["name": "Push-ups", "sets": 3, "reps": 8], ["name": "Glute bridges", "sets": 3, "reps": 12],
                        ["name": "Plank", "sets": 3, "seconds": 30],
                    ],
                ])
        ])

    private static let wellness = GuideAnswer(
        "Here is an evening routine for better sleep. \(note)",
        calls: [
            ToolCall(
                name: "create_wellness",
                arguments: [
                    "name": "Quiet evening", "description": "One hour before bed.",
                    "practices": [
                        "No charts and no news for the last hour", "Ten minutes of slow breathing",
                        "Write down tomorrow's first task", "Lights out at the same time",
                    ],
                ])
        ])
}
