import Synchronization

/// How many are inside, up to a bound.
final class WaitingCount: Sendable {
    private let count = Atomic(0)

    /// - Returns: whether there was room; then `leave` follows.
    func enter(atMost most: Int) -> Bool {
        if count.add(1, ordering: .relaxed).newValue <= most { return true }
        count.subtract(1, ordering: .relaxed)
        return false
    }

    func leave() {
        count.subtract(1, ordering: .relaxed)
    }
}
