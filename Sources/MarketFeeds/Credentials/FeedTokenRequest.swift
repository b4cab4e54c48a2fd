/// How a venue is asked for a token.
public struct FeedTokenRequest: Sendable, Equatable {
    /// Path and query.
    public var target: String
    public var headers: [FeedHeader]

    public init(target: String, headers: [FeedHeader]) {
        self.target = target
        self.headers = headers
    }
}
