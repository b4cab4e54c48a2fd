/// Tells new trades from repeated ones by their numbers, also when they come out of order.
///
/// The numbers of the last 1,024 trades are remembered one by one. A jump of more than a million, in either direction,
/// is taken for a new numbering: a single corrupt number must not make every later trade a duplicate.
struct TradeSequence: Sendable {
    enum Outcome: Equatable {
        /// The newest; so many before it have not come.
        case next(missing: Int)
        /// One that was missing.
        case filled
        /// From before the first one that was seen.
        case earlier
        case duplicate
        case renumbered
    }

    /// Numbers that a venue may use: those that a JSON number holds exactly.
    static let range = 0...1 << 53
    private static let window = 1024
    private static let largestJump = 1_000_000

    private var first: Int
    private var last: Int
    /// A bit a number, at the number modulo the window.
    private var seen: [UInt64]

    init(first: Int) {
        self.first = first
        last = first
        seen = Array(repeating: 0, count: Self.window / 64)
        mark(first)
    }

    /// - Parameter id: within `range`.
    mutating func take(_ id: Int) -> Outcome {
        let distance = id - last
        if distance == 1 {
            last = id
            mark(id)
            return .next(missing: 0)
        }
        guard distance.magnitude <= Self.largestJump else {
            self = TradeSequence(first: id)
            return .renumbered
        }
        if distance > 0 {
            for skipped in max(last + 1, id - Self.window + 1)..<id { clear(skipped) }
            last = id
            mark(id)
            return .next(missing: distance - 1)
        }
        // Too old to be remembered: a trade that late is of no use either.
        guard -distance < Self.window, !isMarked(id) else { return .duplicate }
        mark(id)
        return id < first ? .earlier : .filled
    }

    private mutating func mark(_ id: Int) { seen[id % Self.window / 64] |= 1 << UInt64(id % 64) }
    private mutating func clear(_ id: Int) { seen[id % Self.window / 64] &= ~(1 << UInt64(id % 64)) }
    private func isMarked(_ id: Int) -> Bool { seen[id % Self.window / 64] & 1 << UInt64(id % 64) != 0 }
}
