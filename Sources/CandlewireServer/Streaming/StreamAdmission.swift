/// Who may read the streams: shared by all connections.
struct StreamAdmission: Sendable {
    var tokens: StreamTokens?
    var origins: OriginPolicy
    /// Seconds that a client has for its token.
    var tokenTime = 10.0
}
