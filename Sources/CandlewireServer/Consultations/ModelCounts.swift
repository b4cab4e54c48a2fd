import MarketModel

/// How long models need for their answers, for `/metrics`. Confined to the conversations' loop.
struct ModelCounts: Sendable {
    enum Outcome: String, Sendable, CaseIterable {
        case answered
        case failed
        /// By the user, or because a newer question took its place.
        case stopped
    }

    private(set) var ended: [Outcome: Int] = [:]
    private(set) var first = DurationHistogram(DurationHistogram.answerBounds)
    private(set) var whole = DurationHistogram(DurationHistogram.answerBounds)

    mutating func began(after seconds: Double) { first.add(seconds) }

    mutating func ended(_ outcome: Outcome, after seconds: Double) {
        ended[outcome, default: 0] += 1
        if outcome == .answered { whole.add(seconds) }
    }
}
