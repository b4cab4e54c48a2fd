package import MarketModel
package import TradingCore

/// The services of one account of a server.
package struct LiveServices<Mode: TradingMode>: MarketServiceProtocol, TradingServiceProtocol, PortfolioServiceProtocol,
    EventServiceProtocol
{
    package let account: AccountID<Mode>
    let rest: RESTClient
    let state: LiveState<Mode>

    package var marketUpdates: ServiceStream<[MarketInfo]> { state.channels.markets.stream }
    package var positionUpdates: ServiceStream<[Position<Mode>]> { state.channels.positions.stream }
    package var orderUpdates: ServiceStream<ServiceUpdate<Order<Mode>>> { state.channels.orders.stream }
    package var fillUpdates: ServiceStream<ServiceUpdate<Fill<Mode>>> { state.channels.fills.stream }
    package var portfolioUpdates: ServiceStream<[Portfolio]> { state.channels.portfolio.stream }
    package var eventStream: ServiceStream<ServiceUpdate<ServiceEvent>> { state.channels.events.stream }
    package var wsHealthUpdates: ServiceStream<ServiceHealth> { state.channels.health.stream }

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
        try await order("PATCH", ["v1", "orders", id.description], body: change, isIdempotent: false)
    }

    /// May be repeated after a time-out: where the server then answers that nothing can be cancelled any more, the
    /// order's status shows whether the first attempt did it.
    package func cancel(_ id: OrderID<Mode>) async throws(ServiceError) -> Order<Mode> {
        let path = ["v1", "orders", id.description]
        do { return try await order("DELETE", path) } catch {
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
        try await order("POST", ["v1", "positions", symbol, "reverse"], body: CloseBody(clientOrderID: clientOrderID))
    }

    package func setBracket(
        symbol: String, takeProfit: ExactDecimal?, stopLoss: ExactDecimal?
    ) async throws(ServiceError) {
        try await setBracket(symbol: symbol, takeProfit: BracketPrice(takeProfit), stopLoss: BracketPrice(stopLoss))
    }

    /// - Returns: the position with the prices that protect it from now on.
    @discardableResult package func setBracket(
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

    // MARK: Markets, portfolio and events

    package func fetchMarkets() async throws(ServiceError) -> [MarketInfo] {
        try await rest.call("GET", ["v1", "markets"], as: MarketsDocument.self).markets
    }

    package func fetchMarket(symbol: String) async throws(ServiceError) -> MarketInfo {
        try await rest.call("GET", ["v1", "markets", symbol])
    }

    package func fetchCandles(_ request: CandlesRequest) async throws(ServiceError) -> [Candle] {
        let candles: [CandleDocument] = try await rest.call(
            "GET", ["v1", "candles"],
            query: [
                ("symbol", request.symbol), ("timeframe", request.timeframe.rawValue), ("limit", "\(request.limit)"),
                ("before", request.before.map { "\($0)" }),
            ])
        return candles.map(\.candle)
    }

    package func fetchPortfolio() async throws(ServiceError) -> [Portfolio] {
        let document: PortfoliosDocument = try await rest.call("GET", ["v1", "portfolio"], query: ofAccount)
        guard document.mode ?? Mode.name == Mode.name else {
            throw ServiceError(
                .wrongAccount, message: "The server's account \(account) is not of \(Mode.name) trading.")
        }
        return document.portfolios
    }

    /// What the account was worth, ascending, the present last.
    /// - Parameters:
    ///   - currency: nil: the account's first.
    ///   - limit: nil: as many as the server sends by itself.
    package func fetchEquity(currency: String?, limit: Int?) async throws(ServiceError) -> [EquityPoint] {
        try await rest.call(
            "GET", ["v1", "portfolio", "history"],
            query: [("account", account.description), ("currency", currency), ("limit", limit.map { "\($0)" })],
            as: EquityDocument.self
        ).points
    }

    package func fetchEvents(_ filter: EventFilter) async throws(ServiceError) -> [ServiceEvent] {
        try await rest.call(
            "GET", ["v1", "events"],
            query: [
                ("account", account.description), ("type", filter.type?.rawValue), ("symbol", filter.symbol),
                ("limit", "\(filter.limit)"), ("before", filter.before),
            ], as: EventsDocument.self
        ).events
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

/// The accounts of a server.
package struct LiveAccountService: Sendable {
    let rest: RESTClient

    package init(rest: RESTClient) { self.rest = rest }

    package func fetchAccounts() async throws(ServiceError) -> [AccountInfo] {
        try await rest.call("GET", ["v1", "accounts"], as: AccountsDocument.self).accounts
    }

    /// Opens a paper account.
    /// - Parameters:
    ///   - currency: of its capital; nil: each quote currency of the markets.
    ///   - capital: nil: the server's own amount.
    package func create(
        name: String, currency: String?, capital: ExactDecimal?
    ) async throws(ServiceError) -> AccountInfo {
        try await rest.call(
            "POST", ["v1", "accounts"], body: AccountBody(name: name, currency: currency, capital: capital),
            isIdempotent: false)
    }

    /// Cancels an account's orders, drops its positions and gives it its capital again.
    /// - Parameter capital: nil: what the account began with.
    package func reset(_ id: String, capital: ExactDecimal?) async throws(ServiceError) -> AccountInfo {
        try await rest.call("POST", ["v1", "accounts", id, "reset"], body: AccountBody(capital: capital))
    }

    /// Deletes an account.
    /// - Parameter isForced: also while it has positions or open orders.
    /// - Returns: as it was.
    package func delete(_ id: String, isForced: Bool) async throws(ServiceError) -> AccountInfo {
        try await rest.call(
            "DELETE", ["v1", "accounts", id], query: isForced ? [("force", "true")] : [], isIdempotent: false)
    }
}
