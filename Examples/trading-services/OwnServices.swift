import MarketModel
import MarketServices
import TradingCore

struct OwnMarkets: MarketServiceProtocol {
    let bridge: Bridge

    var marketUpdates: ServiceStream<[MarketInfo]> { bridge.markets.stream }

    func fetchMarkets() async throws(ServiceError) -> [MarketInfo] { await bridge.marketInfos() }

    func fetchMarket(symbol: String) async throws(ServiceError) -> MarketInfo {
        guard let market = await bridge.marketInfos().first(where: { $0.symbol == symbol }) else {
            throw ServiceError(.notFound, message: "There is no market \(symbol).", field: "symbol")
        }
        return market
    }

    func fetchCandles(_ request: CandlesRequest) async throws(ServiceError) -> [Candle] { [] }
}

struct OwnTrading: TradingServiceProtocol {
    let bridge: Bridge
    let account: AccountID<Paper>

    var positionUpdates: ServiceStream<[Position<Paper>]> { bridge.positions.stream }
    var orderUpdates: ServiceStream<ServiceUpdate<Order<Paper>>> { bridge.orders.stream }
    var fillUpdates: ServiceStream<ServiceUpdate<Fill<Paper>>> { bridge.fills.stream }

    func place(_ request: OrderRequest) async throws(ServiceError) -> Order<Paper> { try await bridge.place(request) }

    /// The venue has no short way to close a position: an order the other way does it.
    func closePosition(symbol: String, quantity: ExactDecimal?) async throws(ServiceError) -> Order<Paper> {
        guard let quantity else { throw cannot("close a position without its quantity") }
        return try await bridge.place(
            OrderRequest(
                clientOrderID: "close-\(UInt64.random(in: .min ... .max))", symbol: symbol, side: .sell, type: .market,
                quantity: quantity, reduceOnly: true))
    }

    // What a backend cannot do it says, with the word that views know.

    func preview(_ request: OrderRequest) async throws(ServiceError) -> OrderPreview { throw cannot("preview orders") }

    func amend(_ id: OrderID<Paper>, _ change: OrderChange) async throws(ServiceError) -> Order<Paper> {
        throw cannot("amend orders")
    }

    func cancel(_ id: OrderID<Paper>) async throws(ServiceError) -> Order<Paper> { throw cannot("cancel orders") }
    func cancelAll(symbol: String?) async throws(ServiceError) -> [Order<Paper>] { throw cannot("cancel orders") }
    func reversePosition(symbol: String) async throws(ServiceError) -> Order<Paper> {
        throw cannot("reverse positions")
    }

    func setBracket(symbol: String, takeProfit: ExactDecimal?, stopLoss: ExactDecimal?) async throws(ServiceError) {
        throw cannot("bracket positions")
    }

    func fetchPositions() async throws(ServiceError) -> [Position<Paper>] { bridge.positions.current ?? [] }
    func fetchOrders(_ filter: OrderFilter) async throws(ServiceError) -> [Order<Paper>] { await bridge.orders(filter) }
    func fetchOrder(_ id: OrderID<Paper>) async throws(ServiceError) -> Order<Paper> { try await bridge.order(id) }
    func fetchFills(_ filter: FillFilter<Paper>) async throws(ServiceError) -> [Fill<Paper>] { [] }

    private func cannot(_ what: String) -> ServiceError {
        ServiceError(.rejected, code: "not_supported", message: "This venue cannot \(what).")
    }
}

struct OwnPortfolio: PortfolioServiceProtocol {
    let bridge: Bridge
    let account: AccountID<Paper>

    var portfolioUpdates: ServiceStream<[Portfolio]> { bridge.portfolio.stream }

    func fetchPortfolio() async throws(ServiceError) -> [Portfolio] { await bridge.portfolios() }
}

struct OwnEvents: EventServiceProtocol {
    let bridge: Bridge

    var eventStream: ServiceStream<ServiceUpdate<ServiceEvent>> { bridge.events.stream }
    var wsHealthUpdates: ServiceStream<ServiceHealth> { bridge.health.stream }

    func fetchEvents(_ filter: EventFilter) async throws(ServiceError) -> [ServiceEvent] { [] }
}
