public import TradingCore

// The words of the trading services, as a person reads them. A word of a later version is shown as it came.

extension Side {
    public var words: String {
        switch self {
        case .buy: phrase("Buy")
        case .sell: phrase("Sell")
        case .unknown(let word): word
        }
    }
}

extension PositionSide {
    public var words: String {
        switch self {
        case .long: phrase("Long")
        case .short: phrase("Short")
        default: rawValue
        }
    }
}

extension OrderType {
    public var words: String {
        switch self {
        case .market: phrase("Market")
        case .limit: phrase("Limit")
        case .stop: phrase("Stop")
        case .stopLimit: phrase("Stop limit")
        case .trailingStop: phrase("Trailing stop")
        case .unknown(let word): word
        }
    }
}

extension TimeInForce {
    public var words: String {
        switch self {
        case .gtc: phrase("Good till cancelled")
        case .day: phrase("Day")
        case .ioc: phrase("Immediate or cancel")
        case .fok: phrase("Fill or kill")
        case .unknown(let word): word
        }
    }
}

extension OrderStatus {
    public var words: String {
        switch self {
        case .new: phrase("Working")
        case .partiallyFilled: phrase("Partially filled")
        case .filled: phrase("Filled")
        case .cancelled: phrase("Cancelled")
        case .rejected: phrase("Rejected")
        case .expired: phrase("Expired")
        case .unknown(let word): word
        }
    }
}
