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

    /// What the model leaves of the latest trade's volume for our orders.
    func unused(_ book: Int) -> ExactDecimal? {
        guard case .volume(let share) = settings.fillModel else { return nil }
        guard
            let volume = try? books[book].volume.multiplied(by: share, rounding: .down)
                .rounded(decimals: 8, rounding: .down),
            let rest = try? volume - books[book].used
        else { return .zero }
        return max(rest, .zero)
    }

    func left(of book: Int, for order: Order<Paper>) -> ExactDecimal { unused(book) ?? order.remainingQuantity }

    func hasVolume(_ book: Int) -> Bool { unused(book)?.isPositive ?? true }

    func canFillWhole(_ record: OrderRecord<Paper>, _ book: Int) -> Bool {
        books[book].hasTrade
            && min(reducible(record), left(of: book, for: record.order)) == record.order.remainingQuantity
    }

    /// An order takes what it can of the latest trade: at its price, worse by the slippage, never beyond its own limit.
    mutating func take(_ number: Int) {
        guard let record = account.orders[number], record.order.status.isActive else { return }
        let order = record.order
        let book = bookOfHolding[record.holding]
        guard let price = books[book].price else { return }
        let quantity = min(reducible(record), left(of: book, for: order))
        guard quantity.isPositive else {
            if !reducible(record).isPositive { cancel(number, reason: "There is nothing left to reduce.") }
            return
        }
        let (paid, slippage) = slipped(
            price, order.side, quantity, volume: books[book].volume, limit: workingLimit(order))
        let isCounted = unused(book) != nil
        fill(
            number, quantity, at: paid, slippage: slippage, .taker,
            rule: isCounted
                ? "It took what was left of the latest trade's volume, at that price and the slippage."
                : "It took all at the last price and the slippage, whatever was traded.")
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
    @discardableResult
    mutating func fill(
        _ number: Int, _ quantity: ExactDecimal, at price: ExactDecimal, slippage: ExactDecimal, _ liquidity: Liquidity,
        rule: String, isForced: Bool = false
    ) -> Bool {
        guard let record = account.orders[number], record.order.status.isActive, quantity.isPositive else {
            return false
        }
        let order = record.order
        let book = bookOfHolding[record.holding]
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
                updatePositions(books[book].purse)
                guard try isCovered(outcome, holding, book, at: price) else {
                    cancel(number, reason: "The margin does not cover it.")
                    return false
                }
            }
        } catch {
            cancel(number, reason: "Its amounts are too large.")
            return false
        }
        let isCounted = !isForced && unused(book) != nil
        let receipt = FillReceipt(
            model: isForced ? "liquidation" : settings.fillModel.name,
            // Without a trade there is only the mark that the slippage was added to.
            tradePrice: books[book].price ?? (try? price + (order.side == .buy ? -slippage : slippage)) ?? price,
            tradeVolume: books[book].volume,
            tradeTime: books[book].hasTrade ? books[book].tick.timestamp : clock,
            tradeUsed: isCounted ? quantity : .zero, slippage: slippage, latency: latencies[number] ?? 0, rule: rule)
        let fill = Fill<Paper>(
            id: FillID(account: account.id, number: account.nextFillNumber), orderID: order.id, symbol: order.symbol,
            side: order.side, price: price, quantity: quantity, fee: Money(fee, holding.currency),
            liquidity: liquidity, realizedPnL: Money(outcome.realized, holding.currency), time: clock, receipt: receipt)
        guard emit(.orderFilled(fill, filled), of: number) else {
            cancel(number, reason: "Its amounts are too large.")
            return false
        }
        if isCounted, let used = try? books[book].used + quantity { books[book].used = used }
        books[book].isHeld = !outcome.size.isZero
        noteCash(books[book].purse)
        noteMove(book)
        noteBand(book)
        alarm(books[book].purse)
        follow(up: filled, fill, book)
        return true
    }

    /// Whether what a fill opens has its margin: the equity, in which the new part counts at its own price and not at the
    /// mark, is at least the margin of all positions. Orders' holds and this fill's fee are left out: what was held for the
    /// order pays for them.
    private func isCovered(
        _ outcome: FillOutcome, _ holding: Holding, _ book: Int, at price: ExactDecimal
    ) throws(DecimalError) -> Bool {
        let value = try positionValue(books[book].purse)
        let mark = books[book].price ?? holding.lastPrice
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
}
