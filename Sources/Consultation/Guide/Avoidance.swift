/// What a sentence says is to be avoided: "no jumping", "I can't eat dairy", "allergic to fish and nuts", "soy-free".
struct Avoidance {
    /// Tags of `StatedFacts.foods`.
    private(set) var foods: Set<String> = []
    /// Tags of `WorkoutPlan.words`.
    private(set) var exercises: Set<String> = []
    /// Neither a known food nor a known exercise.
    private(set) var unknown: [String] = []
    /// Unknown, and possibly dangerous.
    private(set) var unmet: [String] = []

    private let words: [String]

    /// - Parameter words: of one sentence, in lower case.
    init(_ words: [String]) {
        self.words = words
        for (index, word) in words.enumerated() {
            if word.hasSuffix("-free") { _ = read(String(word.dropLast(5))) }
            let isAllergy = Self.allergies.contains(word)
            if isAllergy || Self.aversions.contains(word) {
                // `soy allergy`, `gluten free`: the food is before it.
                let isBefore = (isAllergy || word == "free") && index > 0 && read(words[index - 1])
                if word != "free" || !isBefore { readList(after: index, isStrict: isAllergy && !isBefore) }
            } else if Self.denials.contains(word) {
                var next = index + 1
                while next < words.count, Self.fillers.contains(words[next]), !Self.verbs.contains(words[next]) {
                    next += 1
                }
                guard next < words.count else { continue }
                if Self.verbs.contains(words[next]) {
                    readList(after: next, isStrict: false)
                } else {
                    _ = read(words[next])
                }
            }
        }
    }

    /// Reads the words of a list up to one that is no part of it.
    private mutating func readList(after index: Int, isStrict: Bool) {
        var (isExpected, before): (Bool, String?) = (true, nil)
        for word in words.dropFirst(index + 1).prefix(40) {
            if Self.connectors.contains(word) {
                (isExpected, before) = (true, nil)
            } else if Self.fillers.contains(word) {
                continue
            } else if read(word) {
                // `goat cheese`: the second word says what it is.
                if let before {
                    unknown.removeAll { $0 == before }
                    unmet.removeAll { $0 == before }
                }
                (isExpected, before) = (false, nil)
            } else if isExpected, isName(word) {
                if isStrict { unmet.append(word) } else { unknown.append(word) }
                (isExpected, before) = (false, word)
            } else {
                return
            }
        }
    }

    private func isName(_ word: String) -> Bool {
        word.count > 1 && word.allSatisfy { $0.isLetter || $0 == "-" }
            && ![Self.ends, Self.aversions, Self.denials, Self.allergies].contains { $0.contains(word) }
    }

    /// - Returns: whether it is a known food or exercise.
    private mutating func read(_ word: String) -> Bool {
        for form in [word, "\(word)s", "\(word)es", word.hasSuffix("s") ? String(word.dropLast()) : word] {
            if let tag = StatedFacts.foods[form] {
                foods.insert(tag)
                return true
            }
            if let tag = WorkoutPlan.words[form] {
                exercises.insert(tag)
                return true
            }
        }
        return false
    }

    private static func set(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    private static let allergies = set("allergic allergy intolerance intolerant")
    private static let aversions = set(
        "avoid avoiding dislike dislikes except exclude excluding free hate hates hating no quit skip skipping stop without"
    )
    private static let denials = set(
        "can't cannot cant couldn't didn't doesn't don't dont mustn't never not shouldn't won't")
    private static let verbs = set(
        "bear consume digest do doing drink eat eating enjoy fan handle have include like love stand take tolerate touch use "
            + "want")
    private static let connectors = set("and nor or")
    private static let fillers = set(
        "a able about against all an any anything be do doing drink eat eating ever exercises foods from have is like more of "
            + "products really the to usually with")
    /// Words that say that something is to be avoided.
    static let vocabulary = allergies.union(aversions).union(denials).union(verbs).union(fillers)

    /// They end a list: what follows is something else.
    private static let ends = set(
        "also am are as at because breakfast but can could create day diet dinner equipment food for gain give good gym i i'd "
            + "i'm i've idea if in it it's just kcal less let longer lose low lunch make matter me meal meals minutes much my need now "
            + "on one only plan please problem recipe set show so some something still than thank thanks that then there this time "
            + "today vegan vegetarian want we week when will workout would you")
}
