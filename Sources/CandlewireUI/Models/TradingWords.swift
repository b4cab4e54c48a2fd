public import TradingCore

// The words of the trading services, as a person reads them. A word of a later version is shown as it came.

extension Side {
    public var words: String {
        switch self {
        case .buy: localized("Buy")
        case .sell: localized("Sell")
        case .unknown(let word): word
        }
    }
}

extension PositionSide {
    public var words: String {
        switch self {
        case .long: localized("Long")
        case .short: localized("Short")
        default: rawValue
        }
    }
}

extension OrderType {
    public var words: String {
        switch self {
        case .market: localized("Market")
        case .limit: localized("Limit")
        case .stop: localized("Stop")
        case .stopLimit: localized("Stop limit")
        case .trailingStop: localized("Trailing stop")
        case .unknown(let word): word
        }
    }
}

extension TimeInForce {
    public var words: String {
        switch self {
        case .gtc: localized("Good till cancelled")
        case .day: localized("Day")
        case .ioc: localized("Immediate or cancel")
        case .fok: localized("Fill or kill")
        case .unknown(let word): word
        }
    }
}

extension OrderStatus {
    public var words: String {
        switch self {
        case .new: localized("Working")
        case .partiallyFilled: localized("Partially filled")
        case .filled: localized("Filled")
        case .cancelled: localized("Cancelled")
        case .rejected: localized("Rejected")
        case .expired: localized("Expired")
        case .unknown(let word): word
        }
    }
}
