public import MarketModel
public import TradingCore

/// Markets: what they are, what they cost, how they got there.
public protocol MarketServiceProtocol: Sendable {
    /// All markets in one element, each time prices were looked at (every two seconds by default). A slow listener gets
    /// the newest list only.
    var marketUpdates: ServiceStream<[MarketInfo]> { get }

    func fetchMarkets() async throws(ServiceError) -> [MarketInfo]
    /// - Throws: `ServiceError.notFound` for a symbol that is not known.
    func fetchMarket(symbol: String) async throws(ServiceError) -> MarketInfo
    /// Ascending; empty where there is nothing that old.
    func fetchCandles(_ request: CandlesRequest) async throws(ServiceError) -> [Candle]
}

extension MarketServiceProtocol {
    public func fetchCandles(
        symbol: String, timeframe: Timeframe, limit: Int = 1000, before: Double? = nil
    ) async throws(ServiceError) -> [Candle] {
        try await fetchCandles(CandlesRequest(symbol: symbol, timeframe: timeframe, limit: limit, before: before))
    }
}

/// Orders, fills and positions of one account.
///
/// `Mode` is whether money is real, and is part of every id: an order of a paper account cannot be cancelled at a live
/// one, because it does not compile.
public protocol TradingServiceProtocol<Mode>: Sendable {
    associatedtype Mode: TradingMode

    var account: AccountID<Mode> { get }

    /// All open positions in one element, when one was opened, changed, closed or its mark price moved. A slow listener
    /// gets the newest list only.
    var positionUpdates: ServiceStream<[Position<Mode>]> { get }
    /// Every change of every order, in order. Up to 1,024 wait for a slow listener; one that is further behind gets a
    /// snapshot with the number of changes it stands for.
    var orderUpdates: ServiceStream<ServiceUpdate<Order<Mode>>> { get }
    /// Every fill, in order; a slow listener as with orders.
    var fillUpdates: ServiceStream<ServiceUpdate<Fill<Mode>>> { get }

    /// Places an order, exactly once for each `clientOrderID`: a repeated request, as after a lost answer, gives the
    /// same order.
    /// - Returns: the order as it stands when it was accepted; what becomes of it comes with `orderUpdates`.
    /// - Throws: `ServiceError.rejected` with the field that is wrong, and then there is no order.
    func place(_ request: OrderRequest) async throws(ServiceError) -> Order<Mode>
    /// What an order would cost, and what is wrong with it. Places nothing.
    func preview(_ request: OrderRequest) async throws(ServiceError) -> OrderPreview
    /// Changes a waiting order.
    func amend(_ id: OrderID<Mode>, _ change: OrderChange) async throws(ServiceError) -> Order<Mode>
    /// Cancels what is not filled yet.
    func cancel(_ id: OrderID<Mode>) async throws(ServiceError) -> Order<Mode>
    /// Cancels all waiting orders of a market, or of all (`nil`).
    /// - Returns: those that were cancelled.
    func cancelAll(symbol: String?) async throws(ServiceError) -> [Order<Mode>]

    /// Closes a position, or so much of it, with a market order.
    func closePosition(symbol: String, quantity: ExactDecimal?) async throws(ServiceError) -> Order<Mode>
    /// Turns a position into one of the same size the other way, with a market order of twice its size.
    func reversePosition(symbol: String) async throws(ServiceError) -> Order<Mode>
    /// Closes the position when the market gets to one of these prices; `nil` removes such an order.
    func setBracket(symbol: String, takeProfit: ExactDecimal?, stopLoss: ExactDecimal?) async throws(ServiceError)

    func fetchPositions() async throws(ServiceError) -> [Position<Mode>]
    func fetchOrders(_ filter: OrderFilter) async throws(ServiceError) -> [Order<Mode>]
    /// - Throws: `ServiceError.notFound` where the account has no such order.
    func fetchOrder(_ id: OrderID<Mode>) async throws(ServiceError) -> Order<Mode>
    func fetchFills(_ filter: FillFilter<Mode>) async throws(ServiceError) -> [Fill<Mode>]
}

extension TradingServiceProtocol {
    /// Closes the whole position.
    public func closePosition(symbol: String) async throws(ServiceError) -> Order<Mode> {
        try await closePosition(symbol: symbol, quantity: nil)
    }

    /// The newest hundred.
    public func fetchOrders() async throws(ServiceError) -> [Order<Mode>] { try await fetchOrders(OrderFilter()) }

    /// The newest hundred.
    public func fetchFills() async throws(ServiceError) -> [Fill<Mode>] { try await fetchFills(FillFilter()) }
}

/// What an account is worth.
public protocol PortfolioServiceProtocol<Mode>: Sendable {
    associatedtype Mode: TradingMode

    var account: AccountID<Mode> { get }

    /// One portfolio for each currency, never summed, after each change of the positions. A slow listener gets the newest
    /// only.
    var portfolioUpdates: ServiceStream<[Portfolio]> { get }

    func fetchPortfolio() async throws(ServiceError) -> [Portfolio]
}

/// What happened, and how the connection is doing.
public protocol EventServiceProtocol: Sendable {
    /// Every event, in order. Up to 1,024 wait for a slow listener; one that is further behind gets a snapshot of the
    /// newest events with the number of changes it stands for.
    var eventStream: ServiceStream<ServiceUpdate<ServiceEvent>> { get }
    /// Every second. A slow listener gets the newest only.
    var wsHealthUpdates: ServiceStream<ServiceHealth> { get }

    /// Of a bounded log: very old events are gone.
    func fetchEvents(_ filter: EventFilter) async throws(ServiceError) -> [ServiceEvent]
}

extension EventServiceProtocol {
    /// The newest hundred.
    public func fetchEvents() async throws(ServiceError) -> [ServiceEvent] { try await fetchEvents(EventFilter()) }
}
