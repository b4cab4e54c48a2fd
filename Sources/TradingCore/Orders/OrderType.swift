/// What makes an order trade.
public enum OrderType: OpenEnum {
    /// Trades at once, at the price there is.
    case market
    /// Trades at its limit price or better.
    case limit
    /// Becomes a market order when the last trade is at its stop price or beyond: above for buying, below for selling.
    case stop
    /// Becomes a limit order when the last trade is at its stop price or beyond.
    case stopLimit
    /// A stop order whose stop price trails the market at a distance, and only ever in its favour.
    case trailingStop
    /// A word of a later version.
    case unknown(String)

    public static let known: [OrderType] = [.market, .limit, .stop, .stopLimit, .trailingStop]

    public var rawValue: String {
        switch self {
        case .market: "market"
        case .limit: "limit"
        case .stop: "stop"
        case .stopLimit: "stop_limit"
        case .trailingStop: "trailing_stop"
        case .unknown(let word): word
        }
    }

    /// Whether the order waits for a price to be touched before it goes to the market.
    public var hasTrigger: Bool { self == .stop || self == .stopLimit || self == .trailingStop }

    /// Whether the order has a limit price.
    public var hasLimit: Bool { self == .limit || self == .stopLimit }
}
