/// What an order would do, were it placed now.
public struct OrderPreview: Hashable, Sendable {
    public struct Problem: Hashable, Codable, Sendable {
        public var field: String?
        public var message: String
    }

    /// The quantity at the estimated price, in the quote currency.
    public var cost: ExactDecimal
    /// What of the available balance the order takes as margin; zero where it only closes.
    public var margin: ExactDecimal
    /// Of the whole order; for a taker where it would trade at once, else the larger of both rates.
    public var fee: ExactDecimal
    /// What it would trade at: the last price with slippage, its limit or its stop; zero where there is no price.
    public var estimatedPrice: ExactDecimal
    /// Of the position that the order would leave, filled whole at the estimated price.
    public var liquidationPrice: ExactDecimal?
    public var availableAfter: ExactDecimal
    public var currency: String
    /// Why it would be refused; empty where it would be accepted.
    public var problems: [Problem]
}

extension OrderPreview: Codable {
    enum CodingKeys: String, CodingKey {
        case cost, margin, fee, currency, problems
        case estimatedPrice = "estimated_price"
        case liquidationPrice = "liquidation_price"
        case availableAfter = "available_after"
    }
}
