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
