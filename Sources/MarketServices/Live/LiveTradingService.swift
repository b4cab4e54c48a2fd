package import TradingCore

package struct LiveTradingService<Mode: TradingMode>: TradingServiceProtocol {
    package let account: AccountID<Mode>
    let rest: RESTClient
    let state: LiveState<Mode>

    package var positionUpdates: ServiceStream<[Position<Mode>]> { state.channels.positions.stream }
    package var orderUpdates: ServiceStream<ServiceUpdate<Order<Mode>>> { state.channels.orders.stream }
    package var fillUpdates: ServiceStream<ServiceUpdate<Fill<Mode>>> { state.channels.fills.stream }

    private var ofAccount: [(String, String?)] { [("account", account.description)] }

    // MARK: Orders

    /// May be repeated after a time-out: the server knows the client order id and answers with the same order.
    package func place(_ request: OrderRequest) async throws(ServiceError) -> Order<Mode> {
        try await order(
            "POST", ["v1", "orders"], body: PlaceBody(request: request, account: account.description),
            isIdempotent: !request.clientOrderID.isEmpty)
    }

    package func preview(_ request: OrderRequest) async throws(ServiceError) -> OrderPreview {
        try await rest.call(
            "POST", ["v1", "orders", "preview"], query: ofAccount,
            body: PlaceBody(request: request, account: account.description))
    }

    /// Not repeated where it may have arrived: a change that came between would be undone.
    package func amend(_ id: OrderID<Mode>, _ change: OrderChange) async throws(ServiceError) -> Order<Mode> {
        try await order(
            "PATCH", ["v1", "orders", id.description], body: change, isIdempotent: false)
    }

    /// May be repeated after a time-out: where the server then answers that nothing can be cancelled any more, the
    /// order's status shows whether the first attempt did it.
    package func cancel(_ id: OrderID<Mode>) async throws(ServiceError) -> Order<Mode> {
        let path = ["v1", "orders", id.description]
        do {
            return try await order("DELETE", path)
        } catch {
            guard error.kind == .conflict, error.mayHaveHappened else { throw error }
            let order = try await order("GET", path)
            guard order.status == .cancelled else { throw error }
            return order
        }
    }

    package func cancelAll(symbol: String?) async throws(ServiceError) -> [Order<Mode>] {
        let cancelled = try await rest.call(
            "DELETE", ["v1", "orders"], query: ofAccount + [("symbol", symbol)], isIdempotent: false,
            as: OrdersDocument<Mode>.self
        ).orders
        for order in cancelled { state.apply(order) }
        return cancelled
    }

    // MARK: Positions

    package func closePosition(symbol: String, quantity: ExactDecimal?) async throws(ServiceError) -> Order<Mode> {
        try await closePosition(symbol: symbol, quantity: quantity, clientOrderID: "close-\(rest.newID())")
    }

    /// May be repeated, as `place`: the server knows the client order id.
    package func closePosition(
        symbol: String, quantity: ExactDecimal?, clientOrderID: String
    ) async throws(ServiceError) -> Order<Mode> {
        try await order(
            "POST", ["v1", "positions", symbol, "close"],
            body: CloseBody(quantity: quantity, clientOrderID: clientOrderID))
    }

    package func reversePosition(symbol: String) async throws(ServiceError) -> Order<Mode> {
        try await reversePosition(symbol: symbol, clientOrderID: "reverse-\(rest.newID())")
    }

    /// May be repeated, as `place`: the server knows the client order id.
    package func reversePosition(symbol: String, clientOrderID: String) async throws(ServiceError) -> Order<Mode> {
        try await order(
            "POST", ["v1", "positions", symbol, "reverse"], body: CloseBody(clientOrderID: clientOrderID))
    }

    package func setBracket(
        symbol: String, takeProfit: ExactDecimal?, stopLoss: ExactDecimal?
    ) async throws(ServiceError) {
        try await setBracket(symbol: symbol, takeProfit: BracketPrice(takeProfit), stopLoss: BracketPrice(stopLoss))
    }

    /// - Returns: the position with the prices that protect it from now on.
    @discardableResult
    package func setBracket(
        symbol: String, takeProfit: BracketPrice, stopLoss: BracketPrice
    ) async throws(ServiceError) -> Position<Mode> {
        try await rest.call(
            "POST", ["v1", "positions", symbol, "bracket"], query: ofAccount,
            body: BracketBody(takeProfit: takeProfit, stopLoss: stopLoss), as: Position<Mode>.self)
    }

    // MARK: Fetching

    package func fetchPositions() async throws(ServiceError) -> [Position<Mode>] {
        try await rest.call("GET", ["v1", "positions"], query: ofAccount, as: PositionsDocument<Mode>.self).positions
    }

    package func fetchOrders(_ filter: OrderFilter) async throws(ServiceError) -> [Order<Mode>] {
        try await rest.call(
            "GET", ["v1", "orders"],
            query: ofAccount + [
                ("status", filter.status.name), ("symbol", filter.symbol), ("limit", "\(filter.limit)"),
                ("before", filter.before),
            ],
            as: OrdersDocument<Mode>.self
        ).orders
    }

    package func fetchOrder(_ id: OrderID<Mode>) async throws(ServiceError) -> Order<Mode> {
        try await order("GET", ["v1", "orders", id.description])
    }

    package func fetchFills(_ filter: FillFilter<Mode>) async throws(ServiceError) -> [Fill<Mode>] {
        try await rest.call(
            "GET", ["v1", "fills"],
            query: ofAccount + [
                ("symbol", filter.symbol), ("order", filter.order?.description), ("limit", "\(filter.limit)"),
                ("before", filter.before),
            ], as: FillsDocument<Mode>.self
        ).fills
    }

    /// A request whose answer is an order, which the streams then have too.
    private func order(
        _ method: String, _ path: [String], body: (any Encodable & Sendable)? = nil, isIdempotent: Bool = true
    ) async throws(ServiceError) -> Order<Mode> {
        let order: Order<Mode> = try await rest.call(
            method, path, query: ofAccount, body: body, isIdempotent: isIdempotent)
        state.apply(order)
        return order
    }
}

extension OrderFilter.Status {
    /// In the server's query.
    fileprivate var name: String {
        switch self {
        case .all: "all"
        case .active: "active"
        case .done: "done"
        case .exactly(let status): status.rawValue
        }
    }
}
