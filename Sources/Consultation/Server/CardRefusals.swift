/// What a model wanted to make in one answer and could not, as the user is told of it.
struct CardRefusals: Sendable, Hashable {
    private var count = 0
    private var reasons: [String] = []

    /// The reasons that are told.
    static let mostTold = 3

    /// - Parameter reason: a sentence.
    mutating func add(_ reason: String) {
        count += 1
        if reasons.count < Self.mostTold, !reasons.contains(reason) { reasons.append(reason) }
    }

    /// `nil` where nothing was refused.
    var sentence: String? {
        guard count > 0 else { return nil }
        let what = count == 1 ? "A card could not be made." : "\(count) cards could not be made."
        return ([what] + reasons).joined(separator: " ")
    }
}
