/// Where an order is on its way. The way goes forward only: see ``OrderStatus/after(_:)``.
public enum OrderStatus: OpenEnum {
    /// Accepted, and nothing of it is filled.
    case new
    /// Some of it is filled, the rest waits.
    case partiallyFilled
    case filled
    /// By its owner or by a rule; what was filled before stays.
    case cancelled
    /// Never reached the market.
    case rejected
    /// Its time was over.
    case expired
    /// A word of a later version.
    case unknown(String)

    public init(rawValue: String) {
        self =
            switch rawValue {
            case "new": .new
            case "partially_filled": .partiallyFilled
            case "filled": .filled
            case "cancelled": .cancelled
            case "rejected": .rejected
            case "expired": .expired
            default: .unknown(rawValue)
            }
    }

    public var rawValue: String {
        switch self {
        case .new: "new"
        case .partiallyFilled: "partially_filled"
        case .filled: "filled"
        case .cancelled: "cancelled"
        case .rejected: "rejected"
        case .expired: "expired"
        case .unknown(let word): word
        }
    }

    /// Whether the order can still trade.
    public var isActive: Bool { self == .new || self == .partiallyFilled }

    /// Whether nothing can happen to the order any more.
    public var isDone: Bool {
        switch self {
        case .filled, .cancelled, .rejected, .expired: true
        case .new, .partiallyFilled, .unknown: false
        }
    }
}
