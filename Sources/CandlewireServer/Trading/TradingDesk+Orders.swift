import HTTPTypes
import MarketModel
import TradingCore

extension TradingDesk {
    func account(_ id: AccountID<Paper>) throws(APIError) -> PaperAccount {
        guard let account = accounts.first(where: { $0.id == id }) else { throw .unknownAccount(id.description) }
        return account
    }

    /// Changes an exchange, and commits what followed, also where it refused.
    private func change<R>(_ id: AccountID<Paper>, _ body: (inout PaperExchange, Double) throws -> R) throws -> R {
        let account = try account(id)
        defer { commit(account) }
        return try body(&account.exchange, now)
    }

    /// - Throws: 409 while the market's feed is switched off (`feed_off`) or its price is old (`price_stale`). A request whose
    ///   client order id is known places nothing and may pass.
    private func checkFeed(
        of market: Int?, _ id: AccountID<Paper>, clientOrderID: String? = nil
    ) throws(APIError) {
        if let problem = try feedProblem(of: market, id, clientOrderID) { throw problem }
    }

    private func feedProblem(
        of market: Int?, _ id: AccountID<Paper>, _ clientOrderID: String?
    ) throws(APIError) -> APIError? {
        let account = try account(id)
        if let clientOrderID, account.exchange.order(clientOrderID: clientOrderID) != nil { return nil }
        guard let market else { return nil }
        let symbol = registry.markets[market].symbol
        if isOff?(market) == true {
            return APIError(.conflict, "feed_off", "The feed of \(symbol) is switched off.", field: "symbol")
        }
        return pulse.stalePriceAge(market, now: pulseTime).map { age in
            APIError(
                .conflict, "price_stale",
                "\(symbol) has not traded for \(Int(age)) seconds: its price is stale. Orders are accepted when it trades "
                    + "again.", field: "symbol")
        }
    }

    // MARK: Orders

    /// What an order would do, and why it would be refused; nothing changes.
    func preview(_ request: OrderRequest, _ id: AccountID<Paper>) throws -> OrderPreview {
        var preview = try account(id).exchange.preview(request)
        let market = try registry.market(request.symbol, status: .unprocessableContent)
        if let problem = try feedProblem(of: market, id, request.clientOrderID) {
            preview.problems.insert(.init(field: "symbol", message: problem.message), at: 0)
        }
        return preview
    }

    /// - Throws: 409 where as many orders wait as may. A request whose client order id is known may pass.
    func checkOpenOrders(_ request: OrderRequest, _ id: AccountID<Paper>, limit: Double?) throws(APIError) {
        guard let limit else { return }
        let account = try account(id)
        guard account.exchange.account.order(clientOrderID: request.clientOrderID) == nil else { return }
        let most = Int(min(limit, 1e9))
        guard account.exchange.account.activeCount < most else {
            throw APIError(
                .conflict, "too_many_open_orders", "\(id) has \(most) open orders, which is as many as it may have.")
        }
    }

    /// - Returns: the order, and whether it is new.
    func place(_ request: OrderRequest, _ id: AccountID<Paper>) throws -> (order: Order<Paper>, isNew: Bool) {
        // It may have been removed since the request was read.
        let market = try registry.market(request.symbol, status: .unprocessableContent)
        try checkFeed(of: market, id, clientOrderID: request.clientOrderID)
        onDemand?(market)
        switch try change(id, { $0.place(request, now: $1) }) {
        case .accepted(let order): return (order, true)
        case .duplicate(let order): return (order, false)
        case .rejected(let rejection, _): throw rejection
        }
    }

    /// Places an order whose request can be repeated where it is refused: a rule's refusal leaves no rejected order that
    /// uses up its client order id. Where any account has an order of that id, it is that order.
    func placeAgreed(_ request: OrderRequest, _ id: AccountID<Paper>) throws -> (order: Order<Paper>, isNew: Bool) {
        let exchange = try account(id).exchange
        if let known = order(clientOrderID: request.clientOrderID) { return (known, false) }
        if let refusal = exchange.refusal(of: request) { throw refusal }
        return try place(request, id)
    }

    /// The order of a client order id that any account accepted.
    func order(clientOrderID: String) -> Order<Paper>? {
        accounts.lazy.compactMap { $0.exchange.account.order(clientOrderID: clientOrderID) }
            .first { $0.status != .rejected }
    }

    func order(_ id: OrderID<Paper>) throws(APIError) -> Order<Paper> {
        guard let order = try account(id.account).exchange.order(id) else { throw .unknownOrder(id) }
        return order
    }

    func amend(_ id: OrderID<Paper>, _ amendment: OrderChange) throws -> Order<Paper> {
        // Moved over the market, it would be filled at the price of an old trade.
        try checkFeed(of: registry.find(try order(id).symbol), id.account)
        return try change(id.account) { try $0.amend(id, amendment, now: $1) }
    }

    func cancel(_ id: OrderID<Paper>) throws -> Order<Paper> {
        _ = try order(id)
        return try change(id.account) { try $0.cancel(id, now: $1) }
    }

    func cancelAll(_ id: AccountID<Paper>, symbol: String?) throws -> [Order<Paper>] {
        try change(id) { $0.cancelAll(symbol: symbol, now: $1) }
    }

    // MARK: Positions

    /// - Returns: the order, and whether it is new.
    func close(
        _ symbol: String, _ id: AccountID<Paper>, quantity: ExactDecimal?, clientOrderID: String?
    ) throws -> (order: Order<Paper>, isNew: Bool) {
        try checkFeed(of: registry.find(symbol), id, clientOrderID: clientOrderID)
        return try change(id) { exchange, now in
            let isNew = exchange.isNew(clientOrderID)
            return (
                try exchange.closePosition(symbol, quantity: quantity, clientOrderID: clientOrderID, now: now), isNew
            )
        }
    }

    /// - Returns: the order, and whether it is new.
    func reverse(
        _ symbol: String, _ id: AccountID<Paper>, clientOrderID: String?
    ) throws -> (order: Order<Paper>, isNew: Bool) {
        try checkFeed(of: registry.find(symbol), id, clientOrderID: clientOrderID)
        return try change(id) { exchange, now in
            let isNew = exchange.isNew(clientOrderID)
            return (try exchange.reversePosition(symbol, clientOrderID: clientOrderID, now: now), isNew)
        }
    }

    /// What a bracket is to be. A price that is not named stays as it is; `nil`, where it is named: none.
    func bracket(
        _ symbol: String, _ id: AccountID<Paper>, takeProfit: ExactDecimal??, stopLoss: ExactDecimal??
    ) throws -> Position<Paper> {
        try change(id) { exchange, now in
            let position = exchange.position(symbol)
            return try exchange.setBracket(
                symbol, takeProfit: takeProfit ?? position?.takeProfit, stopLoss: stopLoss ?? position?.stopLoss,
                now: now)
        }
    }
}

extension PaperExchange {
    fileprivate func isNew(_ clientOrderID: String?) -> Bool {
        clientOrderID.map { account.order(clientOrderID: $0) == nil } ?? true
    }
}
