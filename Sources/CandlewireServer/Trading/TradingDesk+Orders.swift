import MarketModel
import TradingCore

extension TradingDesk {
    func account(_ id: AccountID<Paper>) throws(APIError) -> PaperAccount {
        guard let account = accounts.first(where: { $0.id == id }) else { throw .unknownAccount(id.description) }
        return account
    }

    /// Changes an exchange, and commits what followed, also where it refused.
    private func change<R>(
        _ id: AccountID<Paper>, _ body: (inout PaperExchange, Double) throws(TradingRejection) -> R
    ) throws(APIError) -> R {
        let account = try account(id)
        defer { commit(account) }
        do throws(TradingRejection) {
            return try body(&account.exchange, now)
        } catch {
            throw APIError(error)
        }
    }

    // MARK: Orders

    /// - Returns: the order, and whether it is new.
    func place(_ request: OrderRequest, _ id: AccountID<Paper>) throws(APIError) -> (order: Order<Paper>, isNew: Bool) {
        if let market = registry.find(request.symbol) { onDemand?(market) }
        let result = try change(id) { exchange, now throws(TradingRejection) in exchange.place(request, now: now) }
        switch result {
        case .accepted(let order): return (order, true)
        case .duplicate(let order): return (order, false)
        case .rejected(let rejection, _): throw APIError(rejection)
        }
    }

    /// Places an order whose request can be repeated where it is refused: a rule's refusal leaves no rejected order that
    /// uses up its client order id. Where any account has an order of that id, it is that order.
    func placeAgreed(
        _ request: OrderRequest, _ id: AccountID<Paper>
    ) throws(APIError) -> (order: Order<Paper>, isNew: Bool) {
        let exchange = try account(id).exchange
        if let known = order(clientOrderID: request.clientOrderID) { return (known, false) }
        if let refusal = exchange.refusal(of: request) { throw APIError(refusal) }
        return try place(request, id)
    }

    /// The order of a client order id that any account accepted.
    func order(clientOrderID: String) -> Order<Paper>? {
        for account in accounts {
            if let order = account.exchange.account.order(clientOrderID: clientOrderID), order.status != .rejected {
                return order
            }
        }
        return nil
    }

    func preview(_ request: OrderRequest, _ id: AccountID<Paper>) throws(APIError) -> OrderPreview {
        try account(id).exchange.preview(request)
    }

    func order(_ id: OrderID<Paper>) throws(APIError) -> Order<Paper> {
        guard let order = try account(id.account).exchange.account.order(id) else { throw .unknownOrder(id) }
        return order
    }

    func amend(_ id: OrderID<Paper>, _ amendment: OrderChange) throws(APIError) -> Order<Paper> {
        _ = try order(id)
        return try change(id.account) { exchange, now throws(TradingRejection) in
            try exchange.amend(id, amendment, now: now)
        }
    }

    func cancel(_ id: OrderID<Paper>) throws(APIError) -> Order<Paper> {
        _ = try order(id)
        return try change(id.account) { exchange, now throws(TradingRejection) in try exchange.cancel(id, now: now) }
    }

    func cancelAll(_ id: AccountID<Paper>, symbol: String?) throws(APIError) -> [Order<Paper>] {
        try change(id) { exchange, now throws(TradingRejection) in exchange.cancelAll(symbol: symbol, now: now) }
    }

    // MARK: Positions

    func close(
        _ symbol: String, _ id: AccountID<Paper>, quantity: ExactDecimal?, clientOrderID: String?
    ) throws(APIError) -> Order<Paper> {
        try change(id) { exchange, now throws(TradingRejection) in
            try exchange.closePosition(symbol, quantity: quantity, clientOrderID: clientOrderID, now: now)
        }
    }

    func reverse(_ symbol: String, _ id: AccountID<Paper>, clientOrderID: String?) throws(APIError) -> Order<Paper> {
        try change(id) { exchange, now throws(TradingRejection) in
            try exchange.reversePosition(symbol, clientOrderID: clientOrderID, now: now)
        }
    }

    /// Which side of a bracket is to be what.
    struct Bracket: Sendable {
        /// What is not named stays as it is.
        var namesTakeProfit: Bool
        var namesStopLoss: Bool
        /// `nil`, where it is named: none.
        var takeProfit: ExactDecimal?
        var stopLoss: ExactDecimal?
    }

    func bracket(_ symbol: String, _ id: AccountID<Paper>, _ bracket: Bracket) throws(APIError) -> Position<Paper> {
        try change(id) { exchange, now throws(TradingRejection) in
            let position = exchange.position(symbol)
            return try exchange.setBracket(
                symbol, takeProfit: bracket.namesTakeProfit ? bracket.takeProfit : position?.takeProfit,
                stopLoss: bracket.namesStopLoss ? bracket.stopLoss : position?.stopLoss, now: now)
        }
    }
}
