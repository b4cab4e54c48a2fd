internal import TradingCore

struct LiveTradingService<Mode: TradingMode>: TradingServiceProtocol {
    let account: AccountID<Mode>
    let rest: RESTClient
    let state: LiveState<Mode>

    var positionUpdates: ServiceStream<[Position<Mode>]> { state.channels.positions.stream }
    var orderUpdates: ServiceStream<ServiceUpdate<Order<Mode>>> { state.channels.orders.stream }
    var fillUpdates: ServiceStream<ServiceUpdate<Fill<Mode>>> { state.channels.fills.stream }

    private var whose: [(String, String?)] { [("account", account.description)] }

    // MARK: Orders

    /// May be repeated after a time-out: the server knows the client order id and answers with the same order.
    func place(_ request: OrderRequest) async throws(ServiceError) -> Order<Mode> {
        try await order(
            "POST", ["v1", "orders"], body: PlaceBody(request: request, account: account.description),
            isIdempotent: !request.clientOrderID.isEmpty)
    }

    func preview(_ request: OrderRequest) async throws(ServiceError) -> OrderPreview {
        try await rest.call(
            "POST", ["v1", "orders", "preview"], query: whose,
            body: PlaceBody(request: request, account: account.description))
    }

    /// Not repeated where it may have arrived: a change that came between would be undone.
    func amend(_ id: OrderID<Mode>, _ change: OrderChange) async throws(ServiceError) -> Order<Mode> {
        try await order(
            "PATCH", ["v1", "orders", id.description], body: change, isIdempotent: false)
    }

    func cancel(_ id: OrderID<Mode>) async throws(ServiceError) -> Order<Mode> {
        try await order("DELETE", ["v1", "orders", id.description], isIdempotent: false)
    }

    func cancelAll(symbol: String?) async throws(ServiceError) -> [Order<Mode>] {
        let cancelled = try await rest.call(
            "DELETE", ["v1", "orders"], query: whose + [("symbol", symbol)], isIdempotent: false,
            as: OrdersDocument<Mode>.self
        ).orders
        for order in cancelled { state.took(order) }
        return cancelled
    }

    // MARK: Positions

    /// May be repeated, as `place`: each call has a client order id of its own.
    func closePosition(symbol: String, quantity: ExactDecimal?) async throws(ServiceError) -> Order<Mode> {
        try await order(
            "POST", ["v1", "positions", symbol, "close"],
            body: CloseBody(quantity: quantity, clientOrderID: "close-\(rest.newID())"))
    }

    func reversePosition(symbol: String) async throws(ServiceError) -> Order<Mode> {
        try await order(
            "POST", ["v1", "positions", symbol, "reverse"],
            body: CloseBody(clientOrderID: "reverse-\(rest.newID())"))
    }

    func setBracket(symbol: String, takeProfit: ExactDecimal?, stopLoss: ExactDecimal?) async throws(ServiceError) {
        _ = try await rest.call(
            "POST", ["v1", "positions", symbol, "bracket"], query: whose,
            body: BracketBody(takeProfit: takeProfit, stopLoss: stopLoss), as: AnyDocument.self)
    }

    // MARK: Fetching

    func fetchPositions() async throws(ServiceError) -> [Position<Mode>] {
        try await rest.call("GET", ["v1", "positions"], query: whose, as: PositionsDocument<Mode>.self).positions
    }

    func fetchOrders(_ filter: OrderFilter) async throws(ServiceError) -> [Order<Mode>] {
        try await rest.call(
            "GET", ["v1", "orders"],
            query: whose + [("status", filter.status.word), ("symbol", filter.symbol), ("limit", "\(filter.limit)")],
            as: OrdersDocument<Mode>.self
        ).orders
    }

    func fetchOrder(_ id: OrderID<Mode>) async throws(ServiceError) -> Order<Mode> {
        try await order("GET", ["v1", "orders", id.description])
    }

    func fetchFills(_ filter: FillFilter<Mode>) async throws(ServiceError) -> [Fill<Mode>] {
        try await rest.call(
            "GET", ["v1", "fills"],
            query: whose + [
                ("symbol", filter.symbol), ("order", filter.order?.description), ("limit", "\(filter.limit)"),
            ], as: FillsDocument<Mode>.self
        ).fills
    }

    /// A request whose answer is an order, which the streams then have too.
    private func order(
        _ method: String, _ path: [String], body: (any Encodable & Sendable)? = nil, isIdempotent: Bool = true
    ) async throws(ServiceError) -> Order<Mode> {
        let order: Order<Mode> = try await rest.call(
            method, path, query: whose, body: body, isIdempotent: isIdempotent)
        state.took(order)
        return order
    }
}

extension OrderFilter.Status {
    /// As the server's query has it.
    fileprivate var word: String {
        switch self {
        case .all: "all"
        case .active: "active"
        case .done: "done"
        case .exactly(let status): status.rawValue
        }
    }
}
