// A container for another backend. What stands between `Venue` and the protocols is all that has to be written: requests
// become calls, what the venue says becomes elements of streams, and its names become ours.

import MarketModel
import MarketServices
import TradingCore

/// The services of a venue that is not ours.
struct OwnContainer: ServiceContainer {
    let markets: any MarketServiceProtocol
    let trading: any TradingServiceProtocol<Paper>
    let portfolio: any PortfolioServiceProtocol<Paper>
    let events: any EventServiceProtocol
    private let bridge: Bridge

    init() throws {
        let account = try AccountID<Paper>(name: "venue")
        bridge = Bridge(account: account)
        markets = OwnMarkets(bridge: bridge)
        trading = OwnTrading(bridge: bridge, account: account)
        portfolio = OwnPortfolio(bridge: bridge, account: account)
        events = OwnEvents(bridge: bridge)
    }

    func connect() async throws(ServiceError) { await bridge.connect() }
    func disconnect() async { await bridge.disconnect() }
    func shutDown() async { await bridge.shutDown() }
}

/// Owns the connection to the venue and the sending ends of the streams. One actor, so that what is published is in order.
actor Bridge {
    nonisolated let markets = ServiceChannel<[MarketInfo]>.values()
    nonisolated let positions = ServiceChannel<[Position<Paper>]>.values([])
    nonisolated let orders = ServiceChannel<ServiceUpdate<Order<Paper>>>.changes([])
    nonisolated let fills = ServiceChannel<ServiceUpdate<Fill<Paper>>>.changes([])
    nonisolated let portfolio = ServiceChannel<[Portfolio]>.values()
    nonisolated let events = ServiceChannel<ServiceUpdate<ServiceEvent>>.changes([])
    nonisolated let health = ServiceChannel<ServiceHealth>.values()

    let account: AccountID<Paper>
    private var venue = Venue()
    private var list = ServiceList<Order<Paper>>()
    /// The venue has its own ids: ours are numbered by us, and this is the way back.
    private var venueIDs: [OrderID<Paper>: String] = [:]
    private var reader: Task<Void, Never>?

    init(account: AccountID<Paper>) {
        self.account = account
    }

    func connect() {
        guard reader == nil else { return }
        // A real one reads its socket here. Weak, so that letting go of the container ends the task.
        reader = Task { [weak self] in
            while !Task.isCancelled {
                await self?.receive()
                do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
            }
        }
        report(.connected)
    }

    func disconnect() {
        reader?.cancel()
        reader = nil
        report(.disconnected)
    }

    func shutDown() {
        disconnect()
        markets.finish()
        positions.finish()
        orders.finish()
        fills.finish()
        portfolio.finish()
        events.finish()
        health.finish()
    }

    /// What the venue says, in our words.
    private func receive() {
        let price = venue.nextPrice()
        let market = Market(symbol: "BTC-USD", baseCurrency: "BTC", quoteCurrency: "USD", precision: 2)
        markets.send([MarketInfo(market, price: price, timestamp: venue.time)])
        for (id, name) in venueIDs {
            guard var order = list[id], order.status.isActive, venue.isFilled(name) else { continue }
            order.status = .filled
            order.filledQuantity = order.quantity
            order.averageFillPrice = ExactDecimal(nearest: price)
            order.updatedAt = venue.time
            // Of two states of an order the one with the higher version wins, whenever they arrive.
            order.version += 1
            list.place(order)
            orders.send(order, all: list.items)
        }
        portfolio.send([venue.portfolio])
        report(.connected)
    }

    private func report(_ connection: ServiceHealth.Connection) {
        health.send(ServiceHealth(connection: connection, timestamp: venue.time))
    }

    func place(_ request: OrderRequest) throws(ServiceError) -> Order<Paper> {
        // Asking again, as after an answer that was lost, must not place another order.
        if let known = list.items.first(where: { $0.clientOrderID == request.clientOrderID }) { return known }
        guard request.type == .market else {
            throw ServiceError(.rejected, message: "The venue accepts market orders only.", field: "type")
        }
        let order = Order<Paper>(
            id: OrderID(account: account, number: list.items.count + 1), request: request, currency: "USD",
            status: .new, referencePrice: .zero, time: venue.time)
        venueIDs[order.id] = venue.submit()
        list.place(order)
        orders.send(order, all: list.items)
        return order
    }

    func order(_ id: OrderID<Paper>) throws(ServiceError) -> Order<Paper> {
        guard let order = list[id] else { throw ServiceError(.notFound, message: "There is no order \(id).") }
        return order
    }

    func orders(_ filter: OrderFilter) -> [Order<Paper>] {
        Array(list.items.filter { filter.includes($0) }.prefix(filter.limit))
    }

    func marketInfos() -> [MarketInfo] { markets.current ?? [] }
    func portfolios() -> [Portfolio] { [venue.portfolio] }
}

/// Stands for the venue's own interface.
struct Venue {
    private(set) var time = 0.0
    private var prices = SeededGenerator(seed: 1)
    private var submitted = 0

    var portfolio: Portfolio {
        Portfolio(
            currency: "USD", equity: 1000, availableBalance: 1000, usedMargin: 0, unrealizedPnL: 0, realizedPnL: 0,
            fees: 0, initialCapital: 1000, lastUpdated: time)
    }

    mutating func nextPrice() -> Double {
        time += 1
        return 67_000 + 100 * prices.unit()
    }

    mutating func submit() -> String {
        submitted += 1
        return "VENUE/\(submitted)"
    }

    func isFilled(_ name: String) -> Bool { true }
}
