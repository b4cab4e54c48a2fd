internal import MarketModel

extension PaperExchange {
    /// How much of an order may still trade: a reduce-only order no more than there is to close.
    func reducible(_ record: OrderRecord<Paper>) -> ExactDecimal {
        let rest = record.order.remainingQuantity
        guard record.order.reduceOnly else { return rest }
        let size = account.holdings[record.holding].size
        guard size.isZero || size.isNegative == (record.order.side == .buy) else { return .zero }
        return min(rest, size.magnitude)
    }

    /// What the model leaves of the latest trade's volume for our orders; `nil` where it does not count volume, and where the
    /// market's trades have none.
    private func unused(_ market: Int) -> ExactDecimal? {
        guard case .volume(let share) = settings.fillModel, countsVolume(market) else { return nil }
        guard
            let volume = try? markets[market].volume.multiplied(by: share, rounding: .down)
                .rounded(decimals: 8, rounding: .down),
            let rest = try? volume - markets[market].used
        else { return .zero }
        return max(rest, .zero)
    }

    /// Whether fills use up the latest trade's volume.
    private func countsVolume(_ market: Int) -> Bool {
        settings.fillModel.countsVolume && markets[market].volumes != .absent
    }

    func hasVolume(_ market: Int) -> Bool { unused(market)?.isPositive ?? true }

    /// How much of an order the latest trade can fill.
    private func fillable(_ record: OrderRecord<Paper>, _ market: Int) -> ExactDecimal {
        min(reducible(record), unused(market) ?? record.order.remainingQuantity)
    }

    func canFillWhole(_ record: OrderRecord<Paper>, _ market: Int) -> Bool {
        markets[market].hasTrade && fillable(record, market) == record.order.remainingQuantity
    }

    /// Fills what it can of an order from the latest trade: at its price, worse by the slippage, never beyond its own limit.
    mutating func fillFromLatestTrade(_ number: Int) {
        guard let record = account.activeRecord(number) else { return }
        let order = record.order
        let market = markets.ofHolding[record.holding]
        guard let price = markets[market].price else { return }
        let quantity = fillable(record, market)
        guard quantity.isPositive else {
            if !reducible(record).isPositive { cancel(number, reason: "There is nothing left to reduce.") }
            return
        }
        // Read first: an argument that reads `self` would copy the whole exchange.
        let volume = markets[market].volume
        let (paid, slippage) = slipped(price, order.side, quantity, volume: volume, limit: order.workingLimit)
        let rule =
            markets[market].volumes == .absent
            ? "The market's trades have no volume: it took all at the last price and the slippage."
            : settings.fillModel.countsVolume
                ? "It took what was left of the latest trade's volume, at that price and the slippage."
                : "It took all at the last price and the slippage, whatever was traded."
        fill(number, quantity, at: paid, slippage: slippage, .taker, rule: rule)
    }

    /// Fills a waiting limit order at its limit.
    /// - Returns: whether the next one may be looked at.
    mutating func fillAtLimit(_ level: WaitingOrders.Level, _ market: Int) -> Bool {
        guard let record = account.orders[level.number] else { return false }
        let quantity = fillable(record, market)
        guard quantity.isPositive else {
            cancel(level.number, reason: "There is nothing left to reduce.")
            return account.activeRecord(level.number) == nil
        }
        let place = settings.fillModel == .through ? "beyond" : "at or beyond"
        let rule = "The market traded \(place) the limit: filled at the limit"
        let isFilled = fill(
            level.number, quantity, at: level.price, slippage: .zero, .maker,
            rule: markets[market].volumes == .absent
                ? "\(rule), all of it, as the market's trades have no volume." : rule + ".")
        return isFilled || account.activeRecord(level.number) == nil
    }

    /// The price after slippage, and how much of it there is.
    func slipped(
        _ price: ExactDecimal, _ side: Side, _ quantity: ExactDecimal, volume: ExactDecimal, limit: ExactDecimal?
    ) -> (price: ExactDecimal, slippage: ExactDecimal) {
        guard
            let slippage = try? settings.slippageModel.slippage(price: price, quantity: quantity, tradeVolume: volume),
            slippage.isPositive, var paid = try? price + (side == .buy ? slippage : -slippage), paid.isPositive
        else { return (price, .zero) }
        if let limit { paid = side == .buy ? min(paid, max(limit, price)) : max(paid, min(limit, price)) }
        return (paid, (try? paid - price)?.magnitude ?? .zero)
    }

    /// Fills a part of an order, or all, and does what follows. An order whose fill the margin does not cover, or whose
    /// amounts leave the range, is cancelled instead.
    /// - Returns: whether it was filled.
    @discardableResult mutating func fill(
        _ number: Int, _ quantity: ExactDecimal, at price: ExactDecimal, slippage: ExactDecimal, _ liquidity: Liquidity,
        rule: String, isForced: Bool = false
    ) -> Bool {
        guard let record = account.activeRecord(number), quantity.isPositive else { return false }
        let order = record.order
        let market = markets.ofHolding[record.holding]
        let currency = margin.markets[market].currency
        let holding = account.holdings[record.holding]
        let outcome: FillOutcome
        let fee: ExactDecimal
        let filled: Order<Paper>
        do {
            outcome = try holding.outcome(side: order.side, price: price, quantity: quantity)
            fee = try settings.feeModel.fee(notional: outcome.notional, liquidity: liquidity)
            let total = try order.filledQuantity + quantity
            let cost = try order.filledCost + outcome.notional
            let average = try cost.divided(by: total)
            filled = next(order) {
                $0.filledQuantity = total
                $0.filledCost = cost
                $0.averageFillPrice = average
                $0.status = total == $0.quantity ? .filled : .partiallyFilled
            }
            if outcome.opened.isPositive, !isForced {
                margin.updatePositions(currency, account, &markets)
                guard try isCovered(outcome, holding, market, at: price) else {
                    cancel(number, reason: "The margin does not cover it.")
                    return false
                }
            }
        } catch {
            cancel(number, reason: "Its amounts are too large.")
            return false
        }
        let isCounted = !isForced && countsVolume(market)
        let receipt = FillReceipt(
            model: isForced ? "liquidation" : settings.fillModel.name,
            // Without a trade there is only the mark that the slippage was added to.
            tradePrice: markets[market].price ?? (try? price + (order.side == .buy ? -slippage : slippage)) ?? price,
            tradeVolume: markets[market].volume,
            tradeTime: markets[market].hasTrade ? markets[market].tick.timestamp : clock,
            tradeUsed: isCounted ? quantity : .zero, slippage: slippage, latency: schedule.latency(of: number),
            rule: rule)
        let fill = Fill<Paper>(
            id: FillID(account: account.id, number: account.nextFillNumber), orderID: order.id, symbol: order.symbol,
            side: order.side, price: price, quantity: quantity, fee: Money(fee, holding.currency),
            liquidity: liquidity, realizedPnL: Money(outcome.realized, holding.currency), time: clock, receipt: receipt)
        guard emit(.orderFilled(fill, filled), of: number) else {
            cancel(number, reason: "Its amounts are too large.")
            return false
        }
        if isCounted, let used = try? markets[market].used + quantity { markets[market].used = used }
        markets[market].isHeld = !outcome.size.isZero
        margin.cashChanged(currency, account)
        margin.positionChanged(market, &markets)
        margin.bandChanged(market)
        margin.requestCheck(currency)
        perform(ProtectionOrders.groupActions(of: filled, filled: quantity, account), market)
        perform(protection.uselessOrderActions(market, holding: record.holding, account), market)
        perform(ProtectionOrders.bracketActions(of: filled, filled: quantity, account), market)
        perform(ProtectionOrders.positionBracketActions(order.symbol, size: outcome.size, account), market)
        return true
    }

    /// Whether what a fill opens has its margin: the equity, in which the new part counts at its own price and not at the
    /// mark, is at least the margin of all positions. Orders' holds and this fill's fee are left out: what was held for the
    /// order pays for them.
    private func isCovered(
        _ outcome: FillOutcome, _ holding: Holding, _ market: Int, at price: ExactDecimal
    ) throws(DecimalError) -> Bool {
        let value = try margin.positionValue(margin.markets[market].currency, account, markets)
        let mark = markets[market].price ?? holding.lastPrice
        var after = holding
        (after.size, after.cost) = (outcome.size, outcome.cost)
        let openedSize = outcome.size.isNegative ? -outcome.opened : outcome.opened
        let difference = try openedSize.multiplied(by: mark) - openedSize.multiplied(by: price)
        let equity =
            try value.equity() + outcome.realized + after.unrealized(mark: mark) - holding.unrealized(mark: mark)
            - difference
        let margin = try value.usedMargin - holding.margin() + after.margin()
        return equity >= margin
    }

    /// Carries out what the protection orders of a market need.
    mutating func perform(_ actions: [ProtectionOrders.Action], _ market: Int) {
        for action in actions {
            switch action {
            case .cancel(let number, let reason): cancel(number, reason: reason)
            case .resize(let number, let quantity):
                guard let order = account.orders[number]?.order else { continue }
                emit(.orderAmended(next(order) { $0.quantity = quantity }))
            case .place(let leg):
                let number = nextOrderNumber
                let symbol = markets[market].symbol
                let request = OrderRequest(
                    clientOrderID: leg.clientOrderID(number: number), symbol: symbol, side: leg.side, type: leg.type,
                    quantity: leg.quantity, limitPrice: leg.type == .limit ? leg.price : nil,
                    stopPrice: leg.type == .stop ? leg.price : nil, reduceOnly: true,
                    leverage: account.leverage(symbol: symbol) ?? 1, ocoGroup: leg.group)
                if accept(request, market, referencePrice: leg.price, parent: leg.parent) != nil {
                    arrivals.append(number)
                }
            }
        }
    }

    // MARK: Margin

    /// Margin is shared by all positions of a currency: a warning comes first, then all of them are closed.
    mutating func checkMargins() {
        margin.sortChecks()
        while let currency = margin.popCheck() {
            guard var status = margin.status(currency, account, &markets) else { continue }
            switch status.action {
            case .none: break
            case .warn: emit(.liquidationWarned(status.call))
            case .restore: emit(.marginRestored(status.call))
            case .liquidate:
                if !isWarned(status.call.currency) { emit(.liquidationWarned(status.call)) }
                liquidate(status.call)
                // Its own fills have requested a check again.
                margin.cancelCheck(currency)
                guard let after = margin.status(currency, account, &markets) else { continue }
                status = after
            }
            let isWarned = isWarned(status.call.currency)
            margin.updateBands(currency, status, isWarned: isWarned, account, markets)
        }
    }

    private func isWarned(_ currency: String) -> Bool { account.balances[currency]?.isWarned ?? false }

    /// Closes every position of the currency at its market's last price, whatever was traded there, and cancels what waits.
    /// A loss beyond the balance is written off.
    private mutating func liquidate(_ call: MarginCall) {
        let indices = account.holdings.indices.filter { account.holdings[$0].currency == call.currency }
        for index in indices {
            for number in account.active[index] { cancel(number, reason: "Liquidation.") }
        }
        for index in indices where account.holdings[index].hasPosition {
            let market = markets.ofHolding[index]
            let holding = account.holdings[index]
            let mark = markets[market].price ?? holding.lastPrice
            let request = OrderRequest(
                clientOrderID: "~liquidation-\(nextOrderNumber)", symbol: holding.symbol,
                side: holding.size.isNegative ? .buy : .sell, type: .market, quantity: holding.size.magnitude,
                reduceOnly: true, leverage: holding.leverage)
            guard let order = accept(request, market, referencePrice: mark)?.order else { continue }
            let (price, slippage) = slipped(
                mark, order.side, order.quantity, volume: markets[market].volume, limit: nil)
            fill(
                order.id.number, order.quantity, at: price, slippage: slippage, .taker,
                rule: "Liquidation: the equity was down to the maintenance margin; closed at the last price.",
                isForced: true)
        }
        let cash = account.balances[call.currency]?.cash ?? .zero
        var closed = call
        closed.writtenOff = cash.isNegative ? -cash : .zero
        emit(.liquidated(closed))
    }
}
