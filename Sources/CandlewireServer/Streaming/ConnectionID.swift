/// Names a connection, and the event loop it lives on.
struct ConnectionID: Sendable, Hashable {
    /// Index of its shard.
    var shard: Int
    /// Unique within the shard.
    var number: Int
}
