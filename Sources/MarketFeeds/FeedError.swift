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
}
