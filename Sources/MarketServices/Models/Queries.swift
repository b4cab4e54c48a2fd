public import MarketModel
public import TradingCore

/// Which candles are wanted. They come ascending, the forming one last.
public struct CandlesRequest: Hashable, Sendable {
    public var symbol: String
    public var timeframe: Timeframe
    /// The maximum number, the newest; 1 to 10,000.
    public var limit: Int
    /// Only those that start earlier than this, seconds since 1970 UTC: for paging back.
    public var before: Double?

    public init(symbol: String, timeframe: Timeframe, limit: Int = 1000, before: Double? = nil) {
        self.symbol = symbol
        self.timeframe = timeframe
        self.limit = limit
        self.before = before
    }
}

/// Which orders are wanted. They come newest first.
public struct OrderFilter: Hashable, Sendable {
    public enum Status: Hashable, Sendable {
        case all
        /// New or partially filled.
        case active
        /// Nothing can happen to them any more.
        case done
        case exactly(OrderStatus)
    }

    public var status: Status
    /// nil: of all markets.
    public var symbol: String?
    public var limit: Int
    /// Only those older than the order with this id, for paging back.
    public var before: String?

    public init(status: Status = .all, symbol: String? = nil, limit: Int = 100, before: String? = nil) {
        self.status = status
        self.symbol = symbol
        self.limit = limit
        self.before = before
    }

    /// Whether the filter lets it through, wherever it stands in a list: `limit` and `before` are of the list.
    public func includes<Mode>(_ order: Order<Mode>) -> Bool {
        if let symbol, order.symbol != symbol { return false }
        switch status {
        case .all: return true
        case .active: return order.status.isActive
        case .done: return order.status.isDone
        case .exactly(let status): return order.status == status
        }
    }
}

/// Which fills are wanted. They come newest first.
public struct FillFilter<Mode: TradingMode>: Hashable, Sendable {
    /// nil: of all markets.
    public var symbol: String?
    /// nil: of all orders.
    public var order: OrderID<Mode>?
    public var limit: Int
    /// Only those older than the fill with this id, for paging back.
    public var before: String?

    public init(symbol: String? = nil, order: OrderID<Mode>? = nil, limit: Int = 100, before: String? = nil) {
        self.symbol = symbol
        self.order = order
        self.limit = limit
        self.before = before
    }

    public func includes(_ fill: Fill<Mode>) -> Bool {
        if let symbol, fill.symbol != symbol { return false }
        if let order, fill.orderID != order { return false }
        return true
    }
}

/// Which events are wanted. They come newest first.
public struct EventFilter: Hashable, Sendable {
    /// nil: all types.
    public var type: ServiceEventType?
    /// nil: of all markets, and of none.
    public var symbol: String?
    public var limit: Int
    /// Only those older than the event with this id, for paging back.
    public var before: String?

    public init(type: ServiceEventType? = nil, symbol: String? = nil, limit: Int = 100, before: String? = nil) {
        self.type = type
        self.symbol = symbol
        self.limit = limit
        self.before = before
    }

    public func includes(_ event: ServiceEvent) -> Bool {
        if let type, event.type != type { return false }
        if let symbol, event.symbol != symbol { return false }
        return true
    }
}
