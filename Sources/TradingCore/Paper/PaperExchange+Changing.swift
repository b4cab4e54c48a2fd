/// What is to be different about a waiting order; `nil` leaves it as it is.
public struct OrderChange: Hashable, Codable, Sendable {
    /// The whole quantity, with what is filled.
    public var quantity: ExactDecimal?
    public var limitPrice: ExactDecimal?
    public var stopPrice: ExactDecimal?
    /// The version that the change was made for: another one is refused.
    public var version: Int?

    public init(
        quantity: ExactDecimal? = nil, limitPrice: ExactDecimal? = nil, stopPrice: ExactDecimal? = nil,
        version: Int? = nil
    ) {
        self.quantity = quantity
        self.limitPrice = limitPrice
        self.stopPrice = stopPrice
        self.version = version
    }

    enum CodingKeys: String, CodingKey {
        case quantity, version
        case limitPrice = "limit_price"
        case stopPrice = "stop_price"
    }
}

extension PaperExchange {
    /// Changes a waiting order. It goes to the end of the orders at its price, except where only its quantity got smaller.
    /// - Returns: the order after everything that followed at once.
    @discardableResult public mutating func amend(
        _ id: OrderID<Paper>, _ change: OrderChange, now: Double
    ) throws(TradingRejection) -> Order<Paper> {
        advance(to: now)
        let order = try active(id)
        if let version = change.version, version != order.version {
            throw TradingRejection(.versionConflict, field: "version", "\(id) has version \(order.version) by now")
        }
        var changed = next(order) {
            $0.quantity = change.quantity ?? $0.quantity
            $0.limitPrice = change.limitPrice ?? $0.limitPrice
            $0.stopPrice = change.stopPrice ?? $0.stopPrice
        }
        if changed.quantity == order.quantity, changed.limitPrice == order.limitPrice,
            changed.stopPrice == order.stopPrice
        {
            return order
        }
        if order.type == .trailingStop, change.stopPrice != nil {
            throw TradingRejection(
                .invalid, field: "stop_price", "must be left out for a trailing_stop order, which finds its own")
        }
        if order.isTriggered, changed.stopPrice != order.stopPrice {
            throw TradingRejection(.invalid, field: "stop_price", "the stop was triggered already")
        }
        var request = OrderRequest(changed)
        if order.type == .trailingStop { request.stopPrice = nil }
        if let flaw = flaws(request, isOwn: true).first { throw flaw }
        guard changed.quantity > order.filledQuantity else {
            throw TradingRejection(
                .invalid, field: "quantity", "must be above \(order.filledQuantity.grouped), which is filled already")
        }
        changed.referencePrice =
            changed.workingLimit ?? (changed.type == .stop ? changed.stopPrice : nil) ?? order.referencePrice
        if let market = markets.index(of: order.symbol) {
            margin.update(margin.markets[market].currency, account, &markets)
            try checkMargin(from: order, to: changed, market)
        }
        guard emit(.orderAmended(changed)) else {
            throw TradingRejection(.invalid, field: "quantity", "makes amounts that are too large")
        }
        if changed.limitPrice != order.limitPrice || changed.stopPrice != order.stopPrice
            || changed.quantity > order.quantity
        {
            moveToEnd(changed)
        }
        processArrivals()
        return account.orders[id.number]?.order ?? changed
    }

    private func active(_ id: OrderID<Paper>) throws(TradingRejection) -> Order<Paper> {
        guard let order = order(id) else { throw TradingRejection(.unknownOrder, "\(id) is not known") }
        guard order.status.isActive else { throw TradingRejection(.orderDone, "\(id) is \(order.status)") }
        return order
    }

    private func checkMargin(from old: Order<Paper>, to new: Order<Paper>, _ market: Int) throws(TradingRejection) {
        guard !new.reduceOnly, let index = markets[market].holding else { return }
        let holding = account.holdings[index]
        do {
            let exposure = try new.exposure()
            guard exposure.notional <= Self.greatestAmount else { throw DecimalError.outOfRange }
            var after = holding
            try after.replace(old.exposure(), with: exposure, new.side)
            let claim = try after.held(fees: settings.feeModel) - holding.held(fees: settings.feeModel)
            let available = try margin.value(margin.markets[market].currency, account, markets).available()
            if claim.isPositive, claim > available {
                let more = Money(claim, holding.currency).rounded(.ceiling).grouped
                let left = Money(available, holding.currency).rounded(.floor).amount.grouped
                throw TradingRejection(
                    .insufficientMargin, field: new.quantity > old.quantity ? "quantity" : "limit_price",
                    "it needs \(more) more, and \(left) is available")
            }
        } catch let problem as TradingRejection {
            throw problem
        } catch {
            throw TradingRejection(.invalid, field: "quantity", "makes a cost above \(Self.greatestAmount.grouped)")
        }
    }

    /// Lets a waiting order come to the market again. One that is on its way stays on it.
    private mutating func moveToEnd(_ order: Order<Paper>) {
        guard let market = markets.index(of: order.symbol), waiting.withdraw(order.id.number, market: market) else {
            return
        }
        arrivals.append(order.id.number)
    }

    /// Cancels a waiting order. Throws where it is not known or at its end.
    @discardableResult
    public mutating func cancel(_ id: OrderID<Paper>, now: Double) throws(TradingRejection) -> Order<Paper> {
        advance(to: now)
        let order = try active(id)
        cancel(id.number, reason: "Cancelled by the user.")
        processArrivals()
        return account.orders[id.number]?.order ?? order
    }

    /// Cancels every waiting order, or those of one market.
    /// - Returns: the orders, as they are now.
    @discardableResult public mutating func cancelAll(symbol: String? = nil, now: Double) -> [Order<Paper>] {
        advance(to: now)
        let orders = account.activeOrders(symbol: symbol)
        for order in orders { cancel(order.id.number, reason: "Cancelled by the user.") }
        processArrivals()
        return orders.compactMap { account.orders[$0.id.number]?.order }
    }

    /// Sets the prices at which a position is closed whole, in place of all orders that do so now; `nil` for none.
    @discardableResult public mutating func setBracket(
        _ symbol: String, takeProfit: ExactDecimal?, stopLoss: ExactDecimal?, now: Double
    ) throws(TradingRejection) -> Position<Paper> {
        advance(to: now)
        guard let market = markets.index(of: symbol), let position = position(symbol) else {
            throw TradingRejection(.unknownPosition, field: "symbol", "there is no position in \(symbol)")
        }
        let actions = try ProtectionOrders.bracketActions(
            of: position, takeProfit: takeProfit, stopLoss: stopLoss,
            mark: markets[market].price ?? position.markPrice, account)
        perform(actions, market)
        processArrivals()
        return self.position(symbol) ?? position
    }

    /// Sets the leverage of a market's position and waiting orders. Throws where the margin does not allow it.
    public mutating func setLeverage(_ symbol: String, _ leverage: Int, now: Double) throws(TradingRejection) {
        advance(to: now)
        guard (1...settings.maxLeverage).contains(leverage) else {
            throw TradingRejection(.invalid, field: "leverage", "must be between 1 and \(settings.maxLeverage)")
        }
        guard let market = markets.index(of: symbol), let index = markets[market].holding else {
            throw TradingRejection(.unknownPosition, field: "symbol", "there has been no order in \(symbol)")
        }
        let holding = account.holdings[index]
        if holding.leverage == leverage { return }
        var after = holding
        after.leverage = leverage
        margin.update(margin.markets[market].currency, account, &markets)
        guard let claim = try? after.claimed(fees: settings.feeModel) - holding.claimed(fees: settings.feeModel),
            let available = available(market), !claim.isPositive || claim <= available
        else {
            throw TradingRejection(.insufficientMargin, field: "leverage", "needs more margin than is available")
        }
        emit(.leverageChanged(symbol: symbol, leverage: leverage))
        processArrivals()
    }

    /// Adds money to the account.
    public mutating func deposit(_ money: Money, now: Double) throws(TradingRejection) {
        advance(to: now)
        let capital = account.balances[money.currency]?.capital ?? .zero
        guard money.amount.isPositive, let sum = try? capital + money.amount, sum <= Self.greatestAmount,
            !money.currency.isEmpty
        else {
            throw TradingRejection(
                .invalid, field: "amount", "must be above 0, and all together at most \(Self.greatestAmount.grouped)")
        }
        emit(.deposited(money))
        margin.requestCheck(margin.index(of: money.currency, account))
        processArrivals()
    }

    /// Resets the account: waiting orders are cancelled, positions dropped. Numbers of orders and fills go on.
    /// - Parameter capital: one amount a currency; the settings' where it is not given.
    public mutating func reset(capital: [Money]? = nil, now: Double) throws(TradingRejection) {
        advance(to: now)
        let capital = capital ?? settings.initialCapital
        try Self.check(capital: capital)
        for order in account.activeOrders() { cancel(order.id.number, reason: "The account was reset.") }
        emit(.accountReset(capital: capital))
        processArrivals()
    }

    /// Ends the account: waiting orders are cancelled, positions dropped, and nothing can be done with it any more.
    public mutating func delete(now: Double) {
        advance(to: now)
        for order in account.activeOrders() { cancel(order.id.number, reason: "The account was deleted.") }
        emit(.accountDeleted(AccountEnd(nextOrder: nextOrderNumber, nextFill: account.nextFillNumber)))
        processArrivals()
    }
}
