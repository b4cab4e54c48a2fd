/// Why there is no token: one sentence without a secret.
public struct FeedTokenError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The credentials themselves are not accepted: trying again soon does not help.
    public let isRefusal: Bool
    public let description: String

    public init(isRefusal: Bool, _ description: String) {
        self.isRefusal = isRefusal
        self.description = description
    }
}
