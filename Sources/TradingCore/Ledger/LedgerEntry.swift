/// One line of an account's log. The log is the account: its state is what ``AccountState`` makes of the lines in order.
public struct LedgerEntry<Mode: TradingMode>: Hashable, Codable, Sendable {
    public var account: AccountID<Mode>
    /// 1, 2, 3… without a gap within the account.
    public var sequence: Int
    /// Seconds since 1970 UTC.
    public var time: Double
    public var event: LedgerEvent<Mode>

    public init(account: AccountID<Mode>, sequence: Int, time: Double, event: LedgerEvent<Mode>) {
        self.account = account
        self.sequence = sequence
        self.time = time
        self.event = event
    }
}

/// Why an entry is not the next one of an account. The state stays as it was.
public enum LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    case otherAccount(String)
    /// An entry is missing, or came twice.
    case sequence(expected: Int, found: Int)
    /// The account was not opened, or twice.
    case opening
    /// The entry does not follow from the state.
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
