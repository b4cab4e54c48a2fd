import CandlewireUI
import MarketModel
import MarketServices
import Synchronization
import TestKit
import TradingCore

/// A trading service whose answers a test says; it records the orders that it got.
final class ScriptedTrading: TradingServiceProtocol {
    typealias Mode = Paper
    private struct State {
        var placed: [OrderRequest] = []
        var failures: [ServiceError] = []
        var previews: [OrderRequest] = []
        var problems: [OrderPreview.Problem] = []
    }

    let base: any TradingServiceProtocol<Paper>
    private let state = Mutex(State())

    init(_ base: any TradingServiceProtocol<Paper>) { self.base = base }

    var placed: [OrderRequest] { state.withLock { $0.placed } }
    var previews: [OrderRequest] { state.withLock { $0.previews } }

    /// The next commands fail, in this order; the orders are placed none the less where they may have been.
    func fail(with failures: ServiceError...) { state.withLock { $0.failures = failures } }

    private func failure() throws(ServiceError) {
        let failure = state.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
        if let failure { throw failure }
    }

    func place(_ request: OrderRequest) async throws(ServiceError) -> Order<Paper> {
        state.withLock { $0.placed.append(request) }
        try failure()
        return try await base.place(request)
    }

    func preview(_ request: OrderRequest) async throws(ServiceError) -> OrderPreview {
        state.withLock { $0.previews.append(request) }
        return try await base.preview(request)
    }

    func cancel(_ id: OrderID<Paper>) async throws(ServiceError) -> Order<Paper> {
        try failure()
        return try await base.cancel(id)
    }

    var account: AccountID<Paper> { base.account }
    var positionUpdates: ServiceStream<[Position<Paper>]> { base.positionUpdates }
    var orderUpdates: ServiceStream<ServiceUpdate<Order<Paper>>> { base.orderUpdates }
    var fillUpdates: ServiceStream<ServiceUpdate<Fill<Paper>>> { base.fillUpdates }
    func amend(_ id: OrderID<Paper>, _ change: OrderChange) async throws(ServiceError) -> Order<Paper> {
        try await base.amend(id, change)
    }
    func cancelAll(symbol: String?) async throws(ServiceError) -> [Order<Paper>] {
        try await base.cancelAll(symbol: symbol)
    }
    func closePosition(symbol: String, quantity: ExactDecimal?) async throws(ServiceError) -> Order<Paper> {
        try await base.closePosition(symbol: symbol, quantity: quantity)
    }
    func reversePosition(symbol: String) async throws(ServiceError) -> Order<Paper> {
        try await base.reversePosition(symbol: symbol)
    }
    func setBracket(symbol: String, takeProfit: ExactDecimal?, stopLoss: ExactDecimal?) async throws(ServiceError) {
        try await base.setBracket(symbol: symbol, takeProfit: takeProfit, stopLoss: stopLoss)
    }
    func fetchPositions() async throws(ServiceError) -> [Position<Paper>] { try await base.fetchPositions() }
    func fetchOrders(_ filter: OrderFilter) async throws(ServiceError) -> [Order<Paper>] {
        try await base.fetchOrders(filter)
    }
    func fetchOrder(_ id: OrderID<Paper>) async throws(ServiceError) -> Order<Paper> { try await base.fetchOrder(id) }
    func fetchFills(_ filter: FillFilter<Paper>) async throws(ServiceError) -> [Fill<Paper>] {
        try await base.fetchFills(filter)
    }
}

/// Markets, with streams that a test sends to.
final class ScriptedMarkets: MarketServiceProtocol {
    let channel = ServiceChannel<[MarketInfo]>.values()
    private let answer: Mutex<Result<[MarketInfo], ServiceError>>

    init(_ answer: Result<[MarketInfo], ServiceError>) { self.answer = Mutex(answer) }

    var marketUpdates: ServiceStream<[MarketInfo]> { channel.stream }

    func answer(_ new: Result<[MarketInfo], ServiceError>) { answer.withLock { $0 = new } }

    func fetchMarkets() async throws(ServiceError) -> [MarketInfo] { try answer.withLock { $0 }.get() }

    func fetchMarket(symbol: String) async throws(ServiceError) -> MarketInfo {
        guard let market = try await fetchMarkets().first(where: { $0.symbol == symbol }) else {
            throw ServiceError(.notFound, message: "There is no such market.")
        }
        return market
    }

    func fetchCandles(_ request: CandlesRequest) async throws(ServiceError) -> [Candle] { [] }
}

/// Events and health, with streams that a test sends to.
final class ScriptedEvents: EventServiceProtocol {
    let events = ServiceChannel<ServiceUpdate<ServiceEvent>>.changes([])
    let health = ServiceChannel<ServiceHealth>.values()
    private let answer: Mutex<Result<[ServiceEvent], ServiceError>>

    init(_ answer: Result<[ServiceEvent], ServiceError> = .success([])) { self.answer = Mutex(answer) }

    var eventStream: ServiceStream<ServiceUpdate<ServiceEvent>> { events.stream }
    var wsHealthUpdates: ServiceStream<ServiceHealth> { health.stream }
    func fetchEvents(_ filter: EventFilter) async throws(ServiceError) -> [ServiceEvent] {
        try answer.withLock { $0 }.get()
    }
}

/// Lets tasks go on until a condition holds; where a clock is given its time goes on, too.
@MainActor
func wait(_ clock: ManualClock? = nil, until isTrue: () -> Bool) async -> Bool {
    for _ in 0..<20_000 {
        if isTrue() { return true }
        await Task.yield()
        clock?.advance(by: .milliseconds(50))
    }
    return isTrue()
}

func market(
    _ symbol: String, price: Double? = 100, open: Double? = nil, volume: Double? = nil, precision: Int = 2
) -> MarketInfo {
    let parts = symbol.split(separator: "-").map(String.init)
    let market = Market(symbol: symbol, baseCurrency: parts[0], quoteCurrency: parts[1], precision: precision)
    var info = MarketInfo(market, price: price, timestamp: 1_732_060_800)
    info.volume24h = volume
    if let open, let price {
        info.change24h = price - open
        info.changePercent24h = (price - open) / open * 100
    }
    return info
}
