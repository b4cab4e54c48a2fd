internal import TradingCore

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
