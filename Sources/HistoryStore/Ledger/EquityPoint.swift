/// What an account was worth at a moment.
public struct EquityPoint: Sendable, Equatable {
    public var account: String
    public var currency: String
    /// Seconds since 1970 UTC.
    public var timestamp: Double
    /// A decimal as text: exact.
    public var equity: String

    public init(account: String, currency: String, timestamp: Double, equity: String) {
        self.account = account
        self.currency = currency
        self.timestamp = timestamp
        self.equity = equity
    }
}
