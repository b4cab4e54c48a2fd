/// An account's money in one currency. Currencies are never summed.
///
/// `equity = initialCapital + realizedPnL - fees + writtenOff + unrealizedPnL`, and
/// `availableBalance = equity - usedMargin - heldMargin`, both to the last digit.
public struct Portfolio: Hashable, Codable, Sendable {
    public var currency: String
    public var equity: ExactDecimal
    /// What new orders may use. Negative where losses eat the margin of what is open.
    public var availableBalance: ExactDecimal
    /// The margin of all positions.
    public var usedMargin: ExactDecimal
    /// The margin and the fees held for waiting orders that could open a position.
    public var heldMargin: ExactDecimal
    public var unrealizedPnL: ExactDecimal
    /// Of everything closed, without fees.
    public var realizedPnL: ExactDecimal
    public var fees: ExactDecimal
    /// What the account was opened with, and all deposits.
    public var initialCapital: ExactDecimal
    /// Losses beyond the balance that liquidations left, and which the account does not owe.
    public var writtenOff: ExactDecimal
    /// The equity at or below which the account's positions in this currency are closed.
    public var maintenanceMargin: ExactDecimal
    /// Seconds since 1970 UTC.
    public var lastUpdated: Double

    public init(
        currency: String, equity: ExactDecimal, availableBalance: ExactDecimal, usedMargin: ExactDecimal,
        heldMargin: ExactDecimal = 0, unrealizedPnL: ExactDecimal, realizedPnL: ExactDecimal, fees: ExactDecimal,
        initialCapital: ExactDecimal, writtenOff: ExactDecimal = 0, maintenanceMargin: ExactDecimal = 0,
        lastUpdated: Double
    ) {
        self.currency = currency
        self.equity = equity
        self.availableBalance = availableBalance
        self.usedMargin = usedMargin
        self.heldMargin = heldMargin
        self.unrealizedPnL = unrealizedPnL
        self.realizedPnL = realizedPnL
        self.fees = fees
        self.initialCapital = initialCapital
        self.writtenOff = writtenOff
        self.maintenanceMargin = maintenanceMargin
        self.lastUpdated = lastUpdated
    }

    enum CodingKeys: String, CodingKey {
        case currency, equity, fees
        case availableBalance = "available_balance"
        case usedMargin = "used_margin"
        case heldMargin = "held_margin"
        case unrealizedPnL = "unrealized_pnl"
        case realizedPnL = "realized_pnl"
        case initialCapital = "initial_capital"
        case writtenOff = "written_off"
        case maintenanceMargin = "maintenance_margin"
        case lastUpdated = "last_updated"
    }

    /// `held_margin`, `written_off` and `maintenance_margin` are zero where a backend leaves them out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func decimal(_ key: CodingKeys) throws -> ExactDecimal {
            try container.decode(ExactDecimal.self, forKey: key)
        }
        func optional(_ key: CodingKeys) throws -> ExactDecimal {
            try container.decodeIfPresent(ExactDecimal.self, forKey: key) ?? .zero
        }
        self.init(
            currency: try container.decode(String.self, forKey: .currency), equity: try decimal(.equity),
            availableBalance: try decimal(.availableBalance), usedMargin: try decimal(.usedMargin),
            heldMargin: try optional(.heldMargin), unrealizedPnL: try decimal(.unrealizedPnL),
            realizedPnL: try decimal(.realizedPnL), fees: try decimal(.fees),
            initialCapital: try decimal(.initialCapital), writtenOff: try optional(.writtenOff),
            maintenanceMargin: try optional(.maintenanceMargin),
            lastUpdated: try container.decode(Double.self, forKey: .lastUpdated))
    }
}
