extension AccountState {
    /// Sorted by name.
    public var currencies: [String] { balances.keys.sorted() }

    /// Any order that is still known, whatever its state.
    public func order(_ id: OrderID<Mode>) -> Order<Mode>? {
        id.account == self.id ? orders[id.number]?.order : nil
    }

    public func order(clientOrderID: String) -> Order<Mode>? {
        clientOrders[clientOrderID].flatMap { orders[$0]?.order }
    }

    /// An order that can still trade.
    func activeRecord(_ number: Int) -> OrderRecord<Mode>? {
        guard let record = orders[number], record.order.status.isActive else { return nil }
        return record
    }

    /// The request that made an order, unchanged by what changed the order.
    func request(_ number: Int) -> OrderRequest? { requests[number] ?? orders[number].map { OrderRequest($0.order) } }

    /// The orders that can still trade, oldest first within a market.
    public func activeOrders(symbol: String? = nil) -> [Order<Mode>] {
        if let symbol {
            return holdingIndex[symbol].map { active[$0].compactMap { orders[$0]?.order } } ?? []
        }
        return active.flatMap { $0.compactMap { orders[$0]?.order } }
    }

    /// How many orders can still trade.
    package var activeCount: Int { orders.count - done.count }

    /// Orders from the newest to the oldest.
    /// - Parameters:
    ///   - before: only those with a smaller number.
    ///   - limit: the maximum number.
    /// - Complexity: O(orders looked at).
    public func orders(
        before: Int? = nil, limit: Int, where isWanted: (Order<Mode>) -> Bool = { _ in true }
    ) -> [Order<Mode>] {
        var found: [Order<Mode>] = []
        var number = min(before ?? nextOrderNumber, nextOrderNumber) - 1
        var left = orders.count
        while number > 0, left > 0, found.count < limit {
            if let order = orders[number]?.order {
                left -= 1
                if isWanted(order) { found.append(order) }
            }
            number -= 1
        }
        return found
    }

    /// Whether there may be orders, at their end, that are no longer known here: numbers are missing.
    public var hasForgottenOrders: Bool { orders.count < nextOrderNumber - firstOrderNumber }

    /// What the account holds in each market, below 0 short.
    package var positionSizes: [(symbol: String, size: ExactDecimal)] {
        holdings.filter(\.hasPosition).map { ($0.symbol, $0.size) }
    }

    /// Markets with an open position, in the order of their first orders.
    public var openSymbols: [String] { holdings.filter(\.hasPosition).map(\.symbol) }

    /// Markets with an open position or an active order.
    public var involvedSymbols: [String] {
        holdings.indices.filter { holdings[$0].hasPosition || !active[$0].isEmpty }.map { holdings[$0].symbol }
    }

    /// The leverage that a market's position and waiting orders have.
    public func leverage(symbol: String) -> Int? { holdingIndex[symbol].map { holdings[$0].leverage } }
}
