internal import MarketModel
internal import TradingCore

/// The way from a service to the world.
struct SimulatedLink: Sendable {
    let world: SimulatedWorld
    let channels: ServiceChannels<Paper>
    let clock: ServiceClock
    let latency: Double

    /// Waits for the simulated latency.
    func travel() async throws(ServiceError) {
        guard latency > 0 else { return }
        do {
            try await clock.sleep(clock.now() + latency)
        } catch {
            throw ServiceError(.closed, message: "The task was cancelled.")
        }
    }
}

struct SimulatedMarketService: MarketServiceProtocol {
    let link: SimulatedLink

    var marketUpdates: ServiceStream<[MarketInfo]> { link.channels.markets.stream }

    func fetchMarkets() async throws(ServiceError) -> [MarketInfo] {
        try await link.travel()
        return await link.world.marketInfos()
    }

    func fetchMarket(symbol: String) async throws(ServiceError) -> MarketInfo {
        try await link.travel()
        return try await link.world.marketInfo(symbol)
    }

    func fetchCandles(_ request: CandlesRequest) async throws(ServiceError) -> [Candle] {
        try await link.travel()
        return try await link.world.candles(request)
    }
}

struct SimulatedTradingService: TradingServiceProtocol {
    let link: SimulatedLink
    let account: AccountID<Paper>

    var positionUpdates: ServiceStream<[Position<Paper>]> { link.channels.positions.stream }
    var orderUpdates: ServiceStream<ServiceUpdate<Order<Paper>>> { link.channels.orders.stream }
    var fillUpdates: ServiceStream<ServiceUpdate<Fill<Paper>>> { link.channels.fills.stream }

    func place(_ request: OrderRequest) async throws(ServiceError) -> Order<Paper> {
        try await link.world.place(request)
    }

    func preview(_ request: OrderRequest) async throws(ServiceError) -> OrderPreview {
        await link.world.preview(request)
    }

    func amend(_ id: OrderID<Paper>, _ change: OrderChange) async throws(ServiceError) -> Order<Paper> {
        try await link.world.amend(id, change)
    }

    func cancel(_ id: OrderID<Paper>) async throws(ServiceError) -> Order<Paper> { try await link.world.cancel(id) }

    func cancelAll(symbol: String?) async throws(ServiceError) -> [Order<Paper>] {
        try await link.world.cancelAll(symbol: symbol)
    }

    func closePosition(symbol: String, quantity: ExactDecimal?) async throws(ServiceError) -> Order<Paper> {
        try await link.world.closePosition(symbol, quantity: quantity)
    }

    func reversePosition(symbol: String) async throws(ServiceError) -> Order<Paper> {
        try await link.world.reversePosition(symbol)
    }

    func setBracket(symbol: String, takeProfit: ExactDecimal?, stopLoss: ExactDecimal?) async throws(ServiceError) {
        try await link.world.setBracket(symbol, takeProfit: takeProfit, stopLoss: stopLoss)
    }

    func fetchPositions() async throws(ServiceError) -> [Position<Paper>] {
        try await link.travel()
        return await link.world.positions()
    }

    func fetchOrders(_ filter: OrderFilter) async throws(ServiceError) -> [Order<Paper>] {
        try await link.travel()
        return await link.world.orders(filter)
    }

    func fetchOrder(_ id: OrderID<Paper>) async throws(ServiceError) -> Order<Paper> {
        try await link.travel()
        return try await link.world.order(id)
    }

    func fetchFills(_ filter: FillFilter<Paper>) async throws(ServiceError) -> [Fill<Paper>] {
        try await link.travel()
        return await link.world.fills(filter)
    }
}

struct SimulatedPortfolioService: PortfolioServiceProtocol {
    let link: SimulatedLink
    let account: AccountID<Paper>

    var portfolioUpdates: ServiceStream<[Portfolio]> { link.channels.portfolio.stream }

    func fetchPortfolio() async throws(ServiceError) -> [Portfolio] {
        try await link.travel()
        return await link.world.portfolios()
    }
}

struct SimulatedEventService: EventServiceProtocol {
    let link: SimulatedLink

    var eventStream: ServiceStream<ServiceUpdate<ServiceEvent>> { link.channels.events.stream }
    var wsHealthUpdates: ServiceStream<ServiceHealth> { link.channels.health.stream }

    func fetchEvents(_ filter: EventFilter) async throws(ServiceError) -> [ServiceEvent] {
        try await link.travel()
        return await link.world.events(filter)
    }
}
