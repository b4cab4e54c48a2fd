internal import StreamCore

/// A workout without equipment, without exercises that strain what hurts.
enum WorkoutPlan {
    private struct Exercise {
        var name: String
        /// Repetitions or seconds of a set.
        var amount: (unit: String, count: Int)
        /// Parts of the body that it strains.
        var strains: Set<String>
        /// What people call it, of `words`.
        var tag: String
    }

    /// Words for exercises, with the tag that an exercise of the list has; no exercise is jumping or running.
    static let words = [
        "arm-circles": "arm circles", "bracing": "bracing", "bridges": "bridges", "burpees": "jumping",
        "circles": "arm circles", "crunches": "crunches", "extensions": "knee extensions", "jog": "running",
        "jogging": "running", "jump": "jumping", "jumping": "jumping", "jumps": "jumping", "lunges": "lunges",
        "marching": "marching", "plank": "planks", "planks": "planks", "press-ups": "push-ups", "pull-ups": "pull-ups",
        "pumps": "ankle pumps", "push-ups": "push-ups", "pushups": "push-ups", "raises": "leg raises", "run": "running",
        "running": "running", "sit-ups": "sit-ups", "squats": "squats", "squatting": "squats",
        "squeezes": "shoulder-blade squeezes", "stretches": "stretches", "stretching": "stretches",
        "weights": "weights",
    ]

    /// Minutes of an exercise with its rests.
    private static let minutesEach = 5
    private static let usualMinutes = 30

    private static let exercises = [
        Exercise(name: "Squats", amount: ("reps", 12), strains: ["knee", "hip", "ankle", "back"], tag: "squats"),
        Exercise(name: "Push-ups", amount: ("reps", 8), strains: ["wrist", "shoulder", "elbow"], tag: "push-ups"),
        Exercise(name: "Glute bridges", amount: ("reps", 12), strains: ["back", "neck", "hip"], tag: "bridges"),
        Exercise(
            name: "Plank on the forearms", amount: ("seconds", 30), strains: ["shoulder", "elbow", "back"],
            tag: "planks"),
        Exercise(name: "Side-lying leg raises", amount: ("reps", 12), strains: ["hip"], tag: "leg raises"),
        Exercise(name: "Seated arm circles", amount: ("seconds", 40), strains: ["shoulder"], tag: "arm circles"),
        Exercise(name: "Seated ankle pumps", amount: ("reps", 20), strains: ["ankle"], tag: "ankle pumps"),
        Exercise(name: "Seated knee extensions", amount: ("reps", 12), strains: ["knee"], tag: "knee extensions"),
        Exercise(
            name: "Wrist and finger stretches", amount: ("seconds", 40), strains: ["wrist", "elbow"], tag: "stretches"),
        Exercise(
            name: "Shoulder-blade squeezes, seated", amount: ("reps", 12), strains: ["shoulder", "neck"],
            tag: "shoulder-blade squeezes"),
        Exercise(name: "Slow seated marching", amount: ("seconds", 40), strains: ["hip", "knee"], tag: "marching"),
        Exercise(name: "Abdominal bracing, lying", amount: ("seconds", 20), strains: [], tag: "bracing"),
    ]

    static func answer(_ facts: StatedFacts, _ notes: [String]) -> GuideAnswer {
        guard facts.unmet.isEmpty else {
            return GuideAnswer(
                "I make no workout: my list of exercises cannot respect what you stated (\(facts.unmet.joined(separator: ", ")))."
            )
        }
        let excluded = facts.avoidedExercises.sorted().joined(separator: ", ")
        let injuries = facts.injuries.sorted().joined(separator: ", ")
        let safe = exercises.filter {
            $0.strains.isDisjoint(with: facts.injuries) && !facts.avoidedExercises.contains($0.tag)
        }
        let (minutes, most) = (facts.minutes ?? min(usualMinutes, safe.count * minutesEach), safe.count * minutesEach)
        guard safe.count >= 3 else {
            let reasons =
                (injuries.isEmpty ? [] : ["do not strain \(injuries)"])
                + (excluded.isEmpty ? [] : ["are not \(excluded)"])
            return GuideAnswer(
                "I make no workout: I have too few exercises that \(reasons.joined(separator: " and ")).")
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
        let what =
            "\(minutes) minutes, no equipment" + (injuries.isEmpty ? "" : ", nothing that strains \(injuries)")
            + (excluded.isEmpty ? "" : ", without \(excluded)")
        return GuideAnswer(
            (["Here is a workout: \(what)."] + facts.limits("one workout", "exercises") + notes).joined(separator: " "),
            tool: "create_workout",
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
