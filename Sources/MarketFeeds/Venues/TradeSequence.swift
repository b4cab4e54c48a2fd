/// Distinguishes new trades from repeated ones by their numbers, also when they come out of order. The numbers of the
/// last 1,024 trades are remembered one by one. A jump of more than a million, in either direction, counts as a new
/// numbering: a single corrupt number must not make every later trade a duplicate.
struct TradeSequence: Sendable {
    private static let window: UInt64 = 1024
    private static let largestJump = 1_000_000

    private var first: UInt64
    private var last: UInt64
    /// A bit a number, at the number modulo the window.
    private var seen: [UInt64]

    init(first: UInt64) {
        self.first = first
        last = first
        seen = Array(repeating: 0, count: Int(Self.window) / 64)
        mark(first)
    }

    mutating func accept(_ id: UInt64) -> TradeOutcome {
        let distance = distance(to: id)
        if distance == 1 {
            last = id
            mark(id)
            return .new(missing: 0)
        }
        guard distance.magnitude <= Self.largestJump else {
            self = TradeSequence(first: id)
            return .renumbered
        }
        if distance > 0 {
            advance(to: id)
            mark(id)
            return .new(missing: distance - 1)
        }
        // Too old to be remembered: a trade that late is of no use either.
        guard -distance < Self.window, !isMarked(id) else { return .duplicate }
        mark(id)
        // From before the first one that was seen, or one that was missing.
        return id < first ? .new(missing: 0) : .filled
    }

    /// Accepts the number of a trade that happened, from a heartbeat: it and those before it are missing now, until
    /// they come.
    /// - Returns: how many more are missing.
    mutating func expect(_ id: UInt64) -> Int {
        let distance = distance(to: id)
        guard distance > 0, distance <= Self.largestJump else { return 0 }
        advance(to: id)
        clear(id)
        return distance
    }

    /// Whether this is newer than all that was seen.
    func isBeyond(_ id: UInt64) -> Bool { distance(to: id) > 0 }

    /// Whether trades are missing before this one, if it came now.
    func skips(to id: UInt64) -> Bool { distance(to: id) > 1 }

    private func distance(to id: UInt64) -> Int {
        // A jump over half of all numbers is beyond any limit: its distance only must not pass for a small one.
        let distance = Int(bitPattern: UInt(truncatingIfNeeded: id &- last))
        return (id > last) == (distance > 0) || id == last ? distance : .min + 1
    }

    private mutating func advance(to id: UInt64) {
        let start = id - last < Self.window ? last + 1 : id - Self.window + 1
        for skipped in start..<id { clear(skipped) }
        last = id
    }

    private mutating func mark(_ id: UInt64) { seen[Int(id % Self.window / 64)] |= 1 << (id % 64) }
    private mutating func clear(_ id: UInt64) { seen[Int(id % Self.window / 64)] &= ~(1 << (id % 64)) }
    private func isMarked(_ id: UInt64) -> Bool { seen[Int(id % Self.window / 64)] & 1 << (id % 64) != 0 }
}
