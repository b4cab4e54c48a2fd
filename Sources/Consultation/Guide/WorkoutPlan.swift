internal import StreamCore

/// A workout without equipment, without exercises that strain what hurts.
enum WorkoutPlan {
    private struct Exercise {
        var name: String
        /// Repetitions or seconds of a set.
        var amount: (unit: String, count: Int)
        /// Parts of the body that it strains.
        var strains: Set<String>
    }

    /// Minutes of an exercise with its rests.
    private static let minutesEach = 5
    private static let usualMinutes = 30

    private static let exercises = [
        Exercise(name: "Squats", amount: ("reps", 12), strains: ["knee", "hip", "ankle", "back"]),
        Exercise(name: "Push-ups", amount: ("reps", 8), strains: ["wrist", "shoulder", "elbow"]),
        Exercise(name: "Glute bridges", amount: ("reps", 12), strains: ["back", "neck", "hip"]),
        Exercise(name: "Plank on the forearms", amount: ("seconds", 30), strains: ["shoulder", "elbow", "back"]),
        Exercise(name: "Side-lying leg raises", amount: ("reps", 12), strains: ["hip"]),
        Exercise(name: "Seated arm circles", amount: ("seconds", 40), strains: ["shoulder"]),
        Exercise(name: "Seated ankle pumps", amount: ("reps", 20), strains: ["ankle"]),
        Exercise(name: "Seated knee extensions", amount: ("reps", 12), strains: ["knee"]),
        Exercise(name: "Wrist and finger stretches", amount: ("seconds", 40), strains: ["wrist", "elbow"]),
        Exercise(name: "Shoulder-blade squeezes, seated", amount: ("reps", 12), strains: ["shoulder", "neck"]),
        Exercise(name: "Slow seated marching", amount: ("seconds", 40), strains: ["hip", "knee"]),
        Exercise(name: "Abdominal bracing, lying", amount: ("seconds", 20), strains: []),
    ]

    static func answer(_ facts: StatedFacts, _ notes: [String]) -> GuideAnswer {
        guard facts.unmet.isEmpty else {
            return GuideAnswer(
                "I make no workout: my list of exercises cannot respect what you stated (\(facts.unmet.joined(separator: ", ")))."
            )
        }
        let injuries = facts.injuries.sorted().joined(separator: ", ")
        let safe = exercises.filter { $0.strains.isDisjoint(with: facts.injuries) }
        let (minutes, most) = (facts.minutes ?? min(usualMinutes, safe.count * minutesEach), safe.count * minutesEach)
        guard safe.count >= 3 else {
            return GuideAnswer("I make no workout: I have too few exercises that do not strain \(injuries).")
        }
        guard 10...most ~= minutes else {
            return GuideAnswer(
                "I make no workout of \(minutes) minutes: with my exercises I can fill 10 to \(most) minutes.")
        }
        let chosen = safe.prefix(minutes / minutesEach).map { exercise -> JSONValue in
            [
                "name": .string(exercise.name), "sets": 3,
                exercise.amount.unit: .number(Double(exercise.amount.count)),
            ]
        }
        let what = "\(minutes) minutes, no equipment" + (injuries.isEmpty ? "" : ", nothing that strains \(injuries)")
        return GuideAnswer(
            (["Here is a workout: \(what)."] + notes).joined(separator: " "), tool: "create_workout",
            [
                "name": .string("\(minutes) minutes, no equipment"), "description": .string("\(what)."),
                "exercises": .array(Array(chosen)),
            ])
    }
}

extension Guide {
    static func wellness(_ notes: [String]) -> GuideAnswer {
        GuideAnswer(
            (["Here is an evening routine for better sleep."] + notes).joined(separator: " "), tool: "create_wellness",
            [
                "name": "Quiet evening", "description": "One hour before bed.",
                "practices": [
                    "No screens and no news for the last hour", "Ten minutes of slow breathing",
                    "Write down tomorrow's first task", "Lights out at the same time",
                ],
            ])
    }
}
