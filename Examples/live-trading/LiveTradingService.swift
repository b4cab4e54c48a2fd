import MarketServices
import TradingCore

/// Trading at the venue, behind the protocol that views know.
struct LiveTradingService: TradingServiceProtocol {
    let desk: VenueDesk
    let account: AccountID<Live>

    var positionUpdates: ServiceStream<[Position<Live>]> { desk.positions.stream }
    var orderUpdates: ServiceStream<ServiceUpdate<Order<Live>>> { desk.orders.stream }
    var fillUpdates: ServiceStream<ServiceUpdate<Fill<Live>>> { desk.fills.stream }

    func place(_ request: OrderRequest) async throws(ServiceError) -> Order<Live> {
        try check(request)
        return try await desk.place(request)
    }

    func cancel(_ id: OrderID<Live>) async throws(ServiceError) -> Order<Live> { try await desk.cancel(id) }

    func cancelAll(symbol: String?) async throws(ServiceError) -> [Order<Live>] {
        var cancelled: [Order<Live>] = []
        for order in await desk.orders(OrderFilter(status: .active, symbol: symbol, limit: 1000)) {
            cancelled.append(try await desk.cancel(order.id))
        }
        return cancelled
    }

    func fetchPositions() async throws(ServiceError) -> [Position<Live>] { [] }
    func fetchOrders(_ filter: OrderFilter) async throws(ServiceError) -> [Order<Live>] { await desk.orders(filter) }
    func fetchOrder(_ id: OrderID<Live>) async throws(ServiceError) -> Order<Live> { try await desk.order(id) }
    func fetchFills(_ filter: FillFilter<Live>) async throws(ServiceError) -> [Fill<Live>] { await desk.fills(filter) }

    /// What the venue would misread is refused here: an order must not be placed without its stop.
    private func check(_ request: OrderRequest) throws(ServiceError) {
        let unsupported: (Bool, String)? = [
            (request.type != .market && request.type != .limit, "type"), (request.postOnly, "post_only"),
            (request.reduceOnly, "reduce_only"), ((request.leverage ?? 1) != 1, "leverage"),
            (request.takeProfit != nil, "take_profit"), (request.stopLoss != nil, "stop_loss"),
            (request.ocoGroup != nil, "oco_group"), (request.timeInForce == .day, "time_in_force"),
        ].first { $0.0 }
        if let (_, field) = unsupported {
            throw ServiceError(
                .rejected, code: "not_supported", message: "This venue's spot orders have no such \(field).",
                field: field)
        }
        guard (1...36).contains(request.clientOrderID.utf8.count) else {
            throw ServiceError(
                .rejected, message: "The venue's client order ids have 1 to 36 characters.", field: "client_order_id")
        }
    }

    // Spot has balances and no positions, and changes no orders.

    func preview(_ request: OrderRequest) async throws(ServiceError) -> OrderPreview { throw cannot("preview orders") }
    func amend(_ id: OrderID<Live>, _ change: OrderChange) async throws(ServiceError) -> Order<Live> {
        throw cannot("amend orders")
    }
    func closePosition(symbol: String, quantity: ExactDecimal?) async throws(ServiceError) -> Order<Live> {
        throw cannot("close positions")
    }
    func reversePosition(symbol: String) async throws(ServiceError) -> Order<Live> { throw cannot("reverse positions") }
    func setBracket(symbol: String, takeProfit: ExactDecimal?, stopLoss: ExactDecimal?) async throws(ServiceError) {
        throw cannot("bracket positions")
    }

    private func cannot(_ what: String) -> ServiceError {
        ServiceError(.rejected, code: "not_supported", message: "This venue cannot \(what).")
    }
}
