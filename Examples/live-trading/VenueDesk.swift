import MarketServices
import TradingCore

/// The account at the venue: owns what is known of its orders, and the sending ends of the streams. One actor, so that
/// what is published is in order.
///
/// The rule for orders: a client order id is sent to the venue as its own (`newClientOrderId`), and an order whose answer
/// was lost is looked for by it, until the venue can no longer accept that request. It is never sent a second time while it
/// may be there.
actor VenueDesk {
    nonisolated let positions = ServiceChannel<[Position<Live>]>.values([])
    /// Unknown until the first `connect`: listeners wait for it.
    nonisolated let orders = ServiceChannel<ServiceUpdate<Order<Live>>>.changes(nil)
    nonisolated let fills = ServiceChannel<ServiceUpdate<Fill<Live>>>.changes(nil)

    let account: AccountID<Live>
    private let api: VenueAPI
    /// The venue answers by market.
    private let symbols: [String]
    private let currency: String
    private var list = ServiceList<Order<Live>>()
    private var fillList = ServiceList<Fill<Live>>()
    /// The way back from the venue's order number to ours.
    private var ids: [Int: OrderID<Live>] = [:]
    private var nextTrade: [String: Int] = [:]
    /// Orders on their way, by client order id: a second request for one waits for the first.
    private var underWay: [String: Task<Result<Order<Live>, ServiceError>, Never>] = [:]
    /// Orders whose fate is unknown, and until when the venue may still accept them.
    private var unsure: [String: (request: OrderRequest, until: Int64)] = [:]
    private var poller: Task<Void, Never>?

    init(_ api: VenueAPI, account: AccountID<Live>, symbols: [String], currency: String) {
        self.api = api
        self.account = account
        self.symbols = symbols
        self.currency = currency
    }

    // MARK: Connecting

    /// Reads the venue's clock, its orders and its trades, and then polls. Also after a lost connection and a restart:
    /// what the venue says is what happened.
    func connect(every interval: Duration) async throws(ServiceError) {
        guard poller == nil else { return }
        do {
            try await api.synchronize()
            for symbol in symbols {
                for found in try await all(symbol) { accept(found) }
                for trade in try await trades(symbol) { accept(trade) }
            }
        } catch { throw error.error }
        orders.send(all: list.items)
        fills.send(all: fillList.items)
        poller = Task { [weak self] in
            while !Task.isCancelled {
                do { try await Task.sleep(for: interval) } catch { return }
                await self?.poll()
            }
        }
    }

    func disconnect() {
        poller?.cancel()
        poller = nil
    }

    func shutDown() {
        disconnect()
        positions.finish()
        orders.finish()
        fills.finish()
    }

    /// A failed look is no news: the next one has it all.
    private func poll() async {
        for symbol in symbols where list.items.contains(where: { $0.symbol == symbol && isOpen($0) }) {
            for order in list.items where order.symbol == symbol && order.status.isActive {
                if let found = try? await look(for: order.clientOrderID, symbol) { accept(found) }
            }
            for trade in (try? await trades(symbol)) ?? [] { accept(trade) }
        }
    }

    /// Whether it can still trade, or has trades that were not read yet.
    private func isOpen(_ order: Order<Live>) -> Bool {
        if order.status.isActive { return true }
        let filled = fillList.items.filter { $0.orderID == order.id }
        return (try? filled.reduce(.zero) { try $0 + $1.quantity }) != order.filledQuantity
    }

    private func all(_ symbol: String) async throws(VenueFailure) -> [VenueOrder] {
        try await api.call("GET", "/api/v3/allOrders", [("symbol", symbol), ("limit", "500")])
    }

    private func trades(_ symbol: String) async throws(VenueFailure) -> [VenueTrade] {
        let first = nextTrade[symbol] ?? 0
        return try await api.call("GET", "/api/v3/myTrades", [("symbol", symbol), ("fromId", "\(first)")])
    }

    private func look(for clientOrderID: String, _ symbol: String) async throws(VenueFailure) -> VenueOrder {
        try await api.call("GET", "/api/v3/order", [("symbol", symbol), ("origClientOrderId", clientOrderID)])
    }

    // MARK: What the venue says

    @discardableResult private func accept(_ found: VenueOrder) -> Order<Live> {
        let id = ids[found.orderId] ?? OrderID(account: account, number: found.orderId)
        ids[found.orderId] = id
        let known = list[id]
        var order = known ?? found.order(id, currency: currency)
        let isChanged = found.update(&order)
        if isChanged || known == nil {
            list.place(order)
            if orders.current != nil { orders.send(order, all: list.items) }
        }
        return order
    }

    private func accept(_ trade: VenueTrade) {
        nextTrade[trade.symbol] = max(nextTrade[trade.symbol] ?? 0, trade.id + 1)
        guard let id = ids[trade.orderId] else { return }
        let fill = trade.fill(id)
        guard fillList.place(fill), fills.current != nil else { return }
        fills.send(fill, all: fillList.items)
    }

    // MARK: Requests

    func place(_ request: OrderRequest) async throws(ServiceError) -> Order<Live> {
        if let known = list.items.first(where: { $0.clientOrderID == request.clientOrderID }) { return known }
        let task =
            underWay[request.clientOrderID]
            ?? Task {
                do throws(ServiceError) { return .success(try await submit(request)) } catch { return .failure(error) }
            }
        underWay[request.clientOrderID] = task
        let result = await task.value
        underWay[request.clientOrderID] = nil
        return try result.get()
    }

    private func submit(_ request: OrderRequest) async throws(ServiceError) -> Order<Live> {
        // One that may be there already is looked for first.
        if let found = try await resolve(request.clientOrderID) { return found }
        var parameters = [
            ("symbol", request.symbol), ("side", request.side.rawValue.uppercased()),
            ("type", request.type.rawValue.uppercased()), ("quantity", "\(request.quantity)"),
            ("newClientOrderId", request.clientOrderID), ("newOrderRespType", "RESULT"),
        ]
        if let limit = request.limitPrice {
            parameters += [("price", "\(limit)"), ("timeInForce", request.timeInForce.rawValue.uppercased())]
        }
        do throws(VenueFailure) {
            return accept(try await api.call("POST", "/api/v3/order", parameters))
        } catch {
            guard error.error.mayHaveHappened else { throw error.error }
            unsure[request.clientOrderID] = (request, await api.now + api.window + 1000)
            if let found = try await resolve(request.clientOrderID) { return found }
            var failure = error.error
            failure.mayHaveHappened = false
            failure.message += " The venue does not have the order."
            throw failure
        }
    }

    /// Looks for an order whose answer was lost.
    /// - Returns: `nil`: it is not there, and cannot get there any more.
    /// - Throws: where that cannot be known; it stays unsure.
    private func resolve(_ clientOrderID: String) async throws(ServiceError) -> Order<Live>? {
        while let (request, until) = unsure[clientOrderID] {
            do throws(VenueFailure) {
                let found = try await look(for: clientOrderID, request.symbol)
                unsure[clientOrderID] = nil
                return accept(found)
            } catch {
                guard error.isUnknownOrder else {
                    var failure = error.error
                    failure.mayHaveHappened = true
                    throw failure
                }
                if await api.now > until {
                    unsure[clientOrderID] = nil
                    return nil
                }
            }
            do { try await Task.sleep(for: .milliseconds(200)) } catch {
                throw ServiceError(.closed, message: "The task was cancelled.", mayHaveHappened: true)
            }
        }
        return nil
    }

    func cancel(_ id: OrderID<Live>) async throws(ServiceError) -> Order<Live> {
        let order = try order(id)
        let name = [("symbol", order.symbol), ("origClientOrderId", order.clientOrderID)]
        do throws(VenueFailure) {
            return accept(try await api.call("DELETE", "/api/v3/order", name))
        } catch {
            // Lost, or too late: what the order is now says which.
            guard error.error.mayHaveHappened || error.error.kind == .conflict else { throw error.error }
            do throws(VenueFailure) {
                let now = accept(try await look(for: order.clientOrderID, order.symbol))
                if now.status == .cancelled { return now }
            } catch {
                throw error.error
            }
            throw error.error
        }
    }

    func order(_ id: OrderID<Live>) throws(ServiceError) -> Order<Live> {
        guard let order = list[id] else { throw ServiceError(.notFound, message: "There is no order \(id).") }
        return order
    }

    func orders(_ filter: OrderFilter) -> [Order<Live>] {
        Array(list.items.filter { filter.includes($0) }.prefix(filter.limit))
    }

    func fills(_ filter: FillFilter<Live>) -> [Fill<Live>] {
        Array(fillList.items.filter { filter.includes($0) }.prefix(filter.limit))
    }

    /// How many orders the venue itself has.
    func countAtVenue(_ symbol: String) async throws(ServiceError) -> Int {
        do throws(VenueFailure) { return try await all(symbol).count } catch { throw error.error }
    }
}
