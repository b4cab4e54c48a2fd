import Synchronization

/// Who may read the streams, and how many there are: shared by all connections.
final class StreamAdmission: Sendable {
    let tokens: StreamTokens?
    let origins: OriginPolicy
    /// Seconds that a client has for its token.
    let tokenTime: Double
    private let limit: Int
    private let count = Atomic<Int>(0)

    init(tokens: StreamTokens?, origins: OriginPolicy, limit: Int, tokenTime: Double = 10) {
        self.tokens = tokens
        self.origins = origins
        self.limit = limit
        self.tokenTime = tokenTime
    }

    var isFull: Bool { count.load(ordering: .relaxed) >= limit }

    func enter() { count.add(1, ordering: .relaxed) }

    func leave() { count.subtract(1, ordering: .relaxed) }
}
