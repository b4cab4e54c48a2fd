internal import MarketModel
internal import TradingCore

/// The services of a simulated world.
struct SimulatedServices: MarketServiceProtocol, TradingServiceProtocol, PortfolioServiceProtocol,
    EventServiceProtocol
{
    let world: SimulatedWorld
    let channels: ServiceChannels<Paper>
    let clock: ServiceClock
    let latency: Double

    var account: AccountID<Paper> { world.account }

    var marketUpdates: ServiceStream<[MarketInfo]> { channels.markets.stream }
    var positionUpdates: ServiceStream<[Position<Paper>]> { channels.positions.stream }
    var orderUpdates: ServiceStream<ServiceUpdate<Order<Paper>>> { channels.orders.stream }
    var fillUpdates: ServiceStream<ServiceUpdate<Fill<Paper>>> { channels.fills.stream }
    var portfolioUpdates: ServiceStream<[Portfolio]> { channels.portfolio.stream }
    var eventStream: ServiceStream<ServiceUpdate<ServiceEvent>> { channels.events.stream }
    var wsHealthUpdates: ServiceStream<ServiceHealth> { channels.health.stream }

    // MARK: Fetching

    /// Waits for the simulated latency, and reads what there is then.
    private func fetch<R: Sendable>(
        _ body: @Sendable (isolated SimulatedWorld) throws(ServiceError) -> R
    ) async throws(ServiceError) -> R {
        if latency > 0 {
            do { try await clock.sleep(clock.now() + latency) } catch { throw ServiceError.cancelled }
        }
        return try await world.read(body)
    }

    func fetchMarkets() async throws(ServiceError) -> [MarketInfo] {
        try await fetch { world throws(ServiceError) in world.books.map(\.info) }
    }

    func fetchMarket(symbol: String) async throws(ServiceError) -> MarketInfo {
        try await fetch { world throws(ServiceError) in try world.book(symbol).info }
    }

    func fetchCandles(_ request: CandlesRequest) async throws(ServiceError) -> [Candle] {
        try await fetch { world throws(ServiceError) in
            guard (1...10_000).contains(request.limit) else {
                throw ServiceError(
                    .rejected, code: "invalid_field", message: "The limit is a whole number from 1 to 10000.",
                    field: "limit")
            }
            return try world.book(request.symbol).candles(
                request.timeframe, limit: request.limit, before: request.before)
        }
    }

    func fetchPositions() async throws(ServiceError) -> [Position<Paper>] {
        try await fetch { world throws(ServiceError) in world.desk.exchange.positions() }
    }

    func fetchPortfolio() async throws(ServiceError) -> [Portfolio] {
        try await fetch { world throws(ServiceError) in world.desk.exchange.portfolios() }
    }

    func fetchOrders(_ filter: OrderFilter) async throws(ServiceError) -> [Order<Paper>] {
        try await fetch { world throws(ServiceError) in
            Self.page(world.desk.orders.items, before: filter.before, limit: filter.limit) { filter.includes($0) }
        }
    }

    func fetchOrder(_ id: OrderID<Paper>) async throws(ServiceError) -> Order<Paper> {
        try await fetch { world throws(ServiceError) in
            guard let order = world.desk.orders[id] else {
                throw ServiceError(.notFound, code: "unknown_order", message: "There is no order \(id).")
            }
            return order
        }
    }

    func fetchFills(_ filter: FillFilter<Paper>) async throws(ServiceError) -> [Fill<Paper>] {
        try await fetch { world throws(ServiceError) in
            Self.page(world.desk.fills.items, before: filter.before, limit: filter.limit) { filter.includes($0) }
        }
    }

    func fetchEvents(_ filter: EventFilter) async throws(ServiceError) -> [ServiceEvent] {
        try await fetch { world throws(ServiceError) in
            Self.page(world.log.items, before: filter.before, limit: filter.limit) { filter.includes($0) }
        }
    }

    /// - Parameter items: newest first.
    private static func page<Item: ServiceItem>(
        _ items: [Item], before: String?, limit: Int, _ includes: (Item) -> Bool
    ) -> [Item] {
        let start = before.map { id in items.firstIndex { "\($0.id)" == id }.map { $0 + 1 } ?? items.count } ?? 0
        return Array(items[start...].lazy.filter(includes).prefix(max(0, limit)))
    }

    // MARK: Trading

    func place(_ request: OrderRequest) async throws(ServiceError) -> Order<Paper> {
        try await world.act { exchange, now throws(TradingRejection) in
            switch exchange.place(request, now: now) {
            case .accepted(let order), .duplicate(let order): return order
            case .rejected(let rejection, _): throw rejection
            }
        }
    }

    func preview(_ request: OrderRequest) async throws(ServiceError) -> OrderPreview {
        try await world.read { world throws(ServiceError) in
            world.desk.exchange.advance(to: world.time)
            return world.desk.exchange.preview(request)
        }
    }

    func amend(_ id: OrderID<Paper>, _ change: OrderChange) async throws(ServiceError) -> Order<Paper> {
        try await world.act { exchange, now throws(TradingRejection) in try exchange.amend(id, change, now: now) }
    }

    func cancel(_ id: OrderID<Paper>) async throws(ServiceError) -> Order<Paper> {
        try await world.act { exchange, now throws(TradingRejection) in try exchange.cancel(id, now: now) }
    }

    func cancelAll(symbol: String?) async throws(ServiceError) -> [Order<Paper>] {
        try await world.act { exchange, now throws(TradingRejection) in
            exchange.cancelAll(symbol: symbol, now: now)
        }
    }

    func closePosition(symbol: String, quantity: ExactDecimal?) async throws(ServiceError) -> Order<Paper> {
        try await world.act { exchange, now throws(TradingRejection) in
            try exchange.closePosition(symbol, quantity: quantity, now: now)
        }
    }

    func reversePosition(symbol: String) async throws(ServiceError) -> Order<Paper> {
        try await world.act { exchange, now throws(TradingRejection) in
            try exchange.reversePosition(symbol, now: now)
        }
    }

    func setBracket(symbol: String, takeProfit: ExactDecimal?, stopLoss: ExactDecimal?) async throws(ServiceError) {
        _ = try await world.act { exchange, now throws(TradingRejection) in
            try exchange.setBracket(symbol, takeProfit: takeProfit, stopLoss: stopLoss, now: now)
        }
    }
}
