internal import MarketModel
internal import TradingCore

/// Requests: everything due is done first.
extension SimulatedWorld {
    func marketInfos() -> [MarketInfo] {
        catchUp()
        return books.map(\.info)
    }

    func marketInfo(_ symbol: String) throws(ServiceError) -> MarketInfo {
        catchUp()
        return try book(symbol).info
    }

    func candles(_ request: CandlesRequest) throws(ServiceError) -> [Candle] {
        guard (1...10_000).contains(request.limit) else {
            throw ServiceError(
                .rejected, code: "invalid_field", message: "The limit is a whole number from 1 to 10000.",
                field: "limit")
        }
        catchUp()
        return try book(request.symbol).candles(request.timeframe, limit: request.limit, before: request.before)
    }

    private func book(_ symbol: String) throws(ServiceError) -> SimulatedMarketBook {
        guard let book = books.first(where: { $0.market.market.symbol == symbol }) else {
            throw ServiceError(
                .notFound, code: "unknown_symbol", message: "There is no market \"\(symbol.prefix(40))\".",
                field: "symbol")
        }
        return book
    }

    func positions() -> [Position<Paper>] {
        catchUp()
        return desk.positions
    }

    func portfolios() -> [Portfolio] {
        catchUp()
        return desk.portfolios
    }

    func orders(_ filter: OrderFilter) -> [Order<Paper>] {
        catchUp()
        return Self.page(desk.orders.items, before: filter.before, limit: filter.limit) { filter.includes($0) }
    }

    func order(_ id: OrderID<Paper>) throws(ServiceError) -> Order<Paper> {
        catchUp()
        guard let order = desk.orders[id] else {
            throw ServiceError(.notFound, code: "unknown_order", message: "There is no order \(id).")
        }
        return order
    }

    func fills(_ filter: FillFilter<Paper>) -> [Fill<Paper>] {
        catchUp()
        return Self.page(desk.fills.items, before: filter.before, limit: filter.limit) { filter.includes($0) }
    }

    func events(_ filter: EventFilter) -> [ServiceEvent] {
        catchUp()
        return Self.page(log.items, before: filter.before, limit: filter.limit) { filter.includes($0) }
    }

    /// - Parameter items: newest first.
    private static func page<Item: ServiceItem>(
        _ items: [Item], before: String?, limit: Int, _ includes: (Item) -> Bool
    ) -> [Item] {
        let start = before.map { id in items.firstIndex { "\($0.id)" == id }.map { $0 + 1 } ?? items.count } ?? 0
        return Array(items[start...].lazy.filter(includes).prefix(max(0, limit)))
    }

    // MARK: Trading

    func place(_ request: OrderRequest) throws(ServiceError) -> Order<Paper> {
        try act { desk, now throws(ServiceError) in try desk.place(request, now: now) }
    }

    func preview(_ request: OrderRequest) -> OrderPreview {
        catchUp()
        return desk.preview(request, now: time)
    }

    func amend(_ id: OrderID<Paper>, _ change: OrderChange) throws(ServiceError) -> Order<Paper> {
        try act { desk, now throws(ServiceError) in try desk.amend(id, change, now: now) }
    }

    func cancel(_ id: OrderID<Paper>) throws(ServiceError) -> Order<Paper> {
        try act { desk, now throws(ServiceError) in try desk.cancel(id, now: now) }
    }

    func cancelAll(symbol: String?) throws(ServiceError) -> [Order<Paper>] {
        try act { desk, now throws(ServiceError) in desk.cancelAll(symbol: symbol, now: now) }
    }

    func closePosition(_ symbol: String, quantity: ExactDecimal?) throws(ServiceError) -> Order<Paper> {
        try act { desk, now throws(ServiceError) in try desk.closePosition(symbol, quantity: quantity, now: now) }
    }

    func reversePosition(_ symbol: String) throws(ServiceError) -> Order<Paper> {
        try act { desk, now throws(ServiceError) in try desk.reversePosition(symbol, now: now) }
    }

    func setBracket(_ symbol: String, takeProfit: ExactDecimal?, stopLoss: ExactDecimal?) throws(ServiceError) {
        try act { desk, now throws(ServiceError) in
            try desk.setBracket(symbol, takeProfit: takeProfit, stopLoss: stopLoss, now: now)
        }
    }

    /// Changes the account now and publishes what came of it, also where it was refused.
    private func act<R>(
        _ body: (inout SimulatedDesk, Double) throws(ServiceError) -> R
    ) throws(ServiceError) -> R {
        guard !isShutDown else { throw ServiceError(.closed, message: "The services are shut down.") }
        catchUp()
        time = max(time, clock.now())
        defer { publishAccount() }
        return try body(&desk, time)
    }
}
