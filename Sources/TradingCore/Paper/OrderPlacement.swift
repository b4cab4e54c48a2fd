/// What became of a request for an order.
public enum OrderPlacement: Sendable, Hashable {
    /// A new order, as it stands after everything that followed at once: it may be filled already.
    case accepted(Order<Paper>)
    /// The same request was made before: its order as it stands now. It may be one that was rejected.
    case duplicate(Order<Paper>)
    /// There is no order, or one that was rejected by a rule and is in the log; its client order id is used then.
    case rejected(TradingRejection, Order<Paper>?)

    /// The order, where there is one.
    public var order: Order<Paper>? {
        switch self {
        case .accepted(let order), .duplicate(let order): order
        case .rejected(_, let order): order
        }
    }
}
