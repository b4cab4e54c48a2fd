/// What became of a request for an order.
public enum OrderPlacement: Sendable, Hashable {
    /// A new order, as it stands after everything that followed at once: it may be filled already.
    case accepted(Order<Paper>)
    /// The same request was made before: its order as it stands now. It may be one that was rejected.
    case duplicate(Order<Paper>)
    /// There is no order, or one that was rejected by a rule and is known for a while; its client order id is used then.
    case rejected(TradingRejection, Order<Paper>?)

    /// The order, where there is one.
    public var order: Order<Paper>? {
        switch self {
        case .accepted(let order), .duplicate(let order): order
        case .rejected(_, let order): order
        }
    }
}

/// What an order would do, were it placed now. A figure that cannot be known is `nil`: all of them where there is no price or a
/// field is wrong; what would be after the order, where it would be refused.
public struct OrderPreview: Hashable, Sendable {
    public struct Problem: Hashable, Codable, Sendable {
        public var field: String?
        public var message: String

        package init(field: String?, message: String) {
            (self.field, self.message) = (field, message)
        }
    }

    /// The quantity at the estimated price, in the quote currency.
    public var cost: ExactDecimal?
    /// What of the available balance the order needs as margin; zero where it only closes.
    public var margin: ExactDecimal?
    /// Of the whole order; for a taker where it would trade at once, else the larger of both rates.
    public var fee: ExactDecimal?
    /// What it would trade at: the last price with slippage, its limit or its stop.
    public var estimatedPrice: ExactDecimal?
    /// Of the position that the order would leave, filled whole at the estimated price; `nil` also where there is none.
    public var liquidationPrice: ExactDecimal?
    /// What would be left of the available balance.
    public var availableAfter: ExactDecimal?
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
