/// Why a feed cannot be opened: one sentence that says what, where and what is allowed.
public struct FeedError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// The request itself is wrong.
        case usage
        /// A file cannot be read or understood.
        case input
    }

    public let kind: Kind
    public let description: String

    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// There are no credentials, and where they could be.
    /// - Parameters:
    ///   - what: who needs them, as the beginning of a sentence.
    ///   - name: `FeedAdapter.credentialsName`.
    public static func needsCredentials(_ what: String, _ name: String) -> FeedError {
        let variable = name.uppercased()
        return FeedError(
            .usage,
            "\(what) needs a key: set \(variable)_API_KEY, or \(variable)_USER and \(variable)_PASSWORD, or give "
                + "--credentials FILE with {\"\(name)\":{\"api_key\":\"...\"}}.")
    }
}
