/// When the last final candles of a stream began, by offset: so that a snapshot can reach back to the first one that a
/// reader has missed.
struct FinalLog {
    /// As many as there are candles in memory for a snapshot.
    private static let capacity = MarketState.memory
    private var entries: [(offset: Int64, start: Double)] = []
    /// Whether there were more than are kept.
    private var isCut = false

    mutating func append(offset: Int64, start: Double) {
        // Dropped by halves: a step of two thousand moves is not noticed.
        if entries.count >= 2 * Self.capacity {
            entries.removeFirst(Self.capacity)
            isCut = true
        }
        entries.append((offset, start))
    }

    /// The earliest start among the candles after `offset`; infinity where there are none, and minus infinity where that
    /// is no longer known.
    func earliest(after offset: Int64) -> Double {
        guard let first = entries.first else { return .infinity }
        if isCut, offset < first.offset - 1 { return -.infinity }
        return entries.reversed().prefix { $0.offset > offset }.map(\.start).min() ?? .infinity
    }
}
