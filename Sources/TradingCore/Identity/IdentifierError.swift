/// Why a text is not the id it was taken for.
public enum IdentifierError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The id begins with another mode's name, or none.
    case otherMode(expected: String, text: String)
    /// An account's name is 1 to 32 ASCII letters, digits and underscores.
    case badAccountName(String)
    /// The part after the account is not what the id's kind has there.
    case malformed(String)

    public var description: String {
        switch self {
        case .otherMode(let expected, let text): "\(text) is not an id of \(expected) trading"
        case .badAccountName(let name): "\(name) is not an account's name: 1 to 32 letters, digits and underscores"
        case .malformed(let text): "\(text) is not an id"
        }
    }
}
