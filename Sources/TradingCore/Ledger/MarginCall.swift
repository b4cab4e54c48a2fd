/// How an account stood in a currency when it was warned or liquidated.
public struct MarginCall: Hashable, Codable, Sendable {
    public var currency: String
    public var equity: ExactDecimal
    /// The equity at or below which the positions are closed.
    public var maintenanceMargin: ExactDecimal
    /// A loss beyond the balance, taken off the account's debts after a liquidation; zero else.
    public var writtenOff: ExactDecimal

    public init(
        currency: String, equity: ExactDecimal, maintenanceMargin: ExactDecimal, writtenOff: ExactDecimal = .zero
    ) {
        self.currency = currency
        self.equity = equity
        self.maintenanceMargin = maintenanceMargin
        self.writtenOff = writtenOff
    }

    enum CodingKeys: String, CodingKey {
        case currency, equity
        case maintenanceMargin = "maintenance_margin"
        case writtenOff = "written_off"
    }
}
