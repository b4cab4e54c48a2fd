/// Why the server cannot run: one sentence that says what, where and what to do.
public struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// The address cannot be bound.
        case address
    }

    public let kind: Kind
    public let description: String
}
