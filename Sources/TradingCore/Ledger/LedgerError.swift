/// Why an entry is not the next one of an account. The state stays as it was.
public enum LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    case otherAccount(String)
    /// An entry is missing, or came twice.
    case sequence(expected: Int, found: Int)
    /// The account was not opened, or twice.
    case opening
    /// What the entry says cannot follow from what is there.
    case inconsistent(sequence: Int, String)
    /// An amount left the range of ``ExactDecimal``.
    case outOfRange(sequence: Int)

    public var description: String {
        switch self {
        case .otherAccount(let account): "an entry of \(account)"
        case .sequence(let expected, let found): "expected entry \(expected), found \(found)"
        case .opening: "an account is opened once, by its first entry"
        case .inconsistent(let sequence, let what): "entry \(sequence): \(what)"
        case .outOfRange(let sequence): "entry \(sequence): an amount is out of range"
        }
    }
}
