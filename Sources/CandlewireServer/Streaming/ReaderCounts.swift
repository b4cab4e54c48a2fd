/// What readers were given, for `/health`.
struct ReaderCounts: Sendable {
    var connections = 0
    /// Messages that were left out for slow readers, and told.
    var skipped = 0
    /// Times that a snapshot took the place of final candles.
    var snapshots = 0
    /// Readers that were closed because they read too slowly.
    var closed = 0

    mutating func add(_ other: ReaderCounts) {
        connections += other.connections
        skipped += other.skipped
        snapshots += other.snapshots
        closed += other.closed
    }
}
