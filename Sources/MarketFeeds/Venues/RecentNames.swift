/// Remembers the last 1,024 trades by their numbers, where a venue's numbers do not count up by one in a market: whether
/// one was told before can be seen, whether one is missing cannot.
struct RecentNames: Sendable {
    private static let capacity = 1024
    private var ring: [UInt64] = []
    private var oldest = 0
    private var known: Set<UInt64> = []

    /// Whether it is new; from now on it is known.
    mutating func insert(_ id: UInt64) -> Bool {
        guard known.insert(id).inserted else { return false }
        guard ring.count == Self.capacity else {
            ring.append(id)
            return true
        }
        known.remove(ring[oldest])
        ring[oldest] = id
        oldest = (oldest + 1) % Self.capacity
        return true
    }
}
