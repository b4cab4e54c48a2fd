/// A study's states before every 512th bar, so that correcting an older bar costs the bars after it and not all.
struct StudyCheckpoints: Sendable {
    static let distance = 512

    private var states: [StudyState] = []
    /// Which one the first of `states` is: it was taken before bar `first * distance`.
    private var first = 0

    /// The state before the next due bar.
    mutating func append(_ state: StudyState) { states.append(state) }

    mutating func removeAll() {
        states.removeAll(keepingCapacity: true)
        first = 0
    }

    /// Forgets the states before `age`, whose bars are gone.
    mutating func drop(before age: Int) {
        let needed = (age + Self.distance - 1) / Self.distance
        let dropped = min(needed - first, states.count)
        guard dropped > 0 else { return }
        states.removeFirst(dropped)
        first += dropped
    }

    /// Removes and returns the newest state that was saved between two ages; all later ones go, too.
    mutating func rewind(to ages: ClosedRange<Int>) -> (state: StudyState, age: Int)? {
        let index = ages.upperBound / Self.distance - first
        let newest = min(index, states.count - 1)
        guard newest >= 0 else { return nil }
        let age = (first + newest) * Self.distance
        guard age >= ages.lowerBound else { return nil }
        let state = states[newest]
        states.removeLast(states.count - newest)
        return (state, age)
    }
}
