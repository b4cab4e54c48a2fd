/// Margin is shared by all positions of a currency: a warning comes first, then all of them are closed.
extension PaperExchange {
    mutating func checkMargins() {
        if uneasy.isEmpty { return }
        let currencies = uneasy.sorted()
        uneasy.removeAll(keepingCapacity: true)
        for currency in currencies { checkMargin(currency) }
    }

    private mutating func checkMargin(_ currency: String) {
        guard let balance = account.balances[currency],
            let value = try? account.valuation(currency: currency, settings: settings, mark: mark),
            let equity = try? value.equity(),
            let warning = try? value.maintenance.multiplied(by: settings.warningFactor, rounding: .up)
        else { return }
        let call = MarginCall(currency: currency, equity: equity, maintenanceMargin: value.maintenance)
        if value.positions > 0, equity <= value.maintenance {
            if !balance.isWarned { emit(.liquidationWarned(call)) }
            liquidate(call)
        } else if value.positions > 0, equity <= warning {
            if !balance.isWarned { emit(.liquidationWarned(call)) }
        } else if balance.isWarned {
            // Twice as far from the end as the warning: an equity that trembles there does not warn with every trade.
            let distance = (try? warning - value.maintenance) ?? .zero
            if value.positions == 0 || equity > ((try? warning + distance) ?? .greatest) { emit(.marginRestored(call)) }
        }
        findBands(currency)
    }

    /// Closes every position of the currency at its market's last price, whatever was traded there, and cancels what waits.
    /// A loss beyond the balance is written off.
    private mutating func liquidate(_ call: MarginCall) {
        let symbols = account.holdings.filter { $0.currency == call.currency }.map(\.symbol)
        for symbol in symbols {
            guard let index = account.holdingIndex[symbol] else { continue }
            for number in account.active[index] { cancel(number, reason: "Liquidation.") }
        }
        for symbol in symbols {
            guard let index = account.holdingIndex[symbol], account.holdings[index].hasPosition,
                let book = bookIndex[symbol]
            else { continue }
            let holding = account.holdings[index]
            let mark = books[book].price ?? holding.lastPrice
            let request = OrderRequest(
                clientOrderID: "~liquidation-\(account.nextOrderNumber)", symbol: symbol,
                side: holding.size.isNegative ? .buy : .sell, type: .market, quantity: holding.size.magnitude,
                reduceOnly: true, leverage: holding.leverage)
            guard let order = accept(request, referencePrice: mark) else { continue }
            let (price, slippage) = slipped(
                mark, order.side, order.quantity, volume: books[book].volume, limit: nil)
            fill(
                order.id.number, order.quantity, at: price, slippage: slippage, .taker,
                rule: "Liquidation: the equity was down to the maintenance margin; closed at the last price.",
                isForced: true)
        }
        let cash = account.balances[call.currency]?.cash ?? .zero
        var closed = call
        closed.writtenOff = cash.isNegative ? -cash : .zero
        emit(.liquidated(closed))
        uneasy.remove(call.currency)
    }

    /// Finds how far each market may move before anybody has to look at the margin again.
    ///
    /// What is left above the warning is shared among the positions; each may lose its share. Computed in doubles, with a
    /// thousandth to spare: outside its band a tick is looked at exactly.
    private mutating func findBands(_ currency: String) {
        guard let balance = account.balances[currency],
            let value = try? account.valuation(currency: currency, settings: settings, mark: mark),
            let equity = try? value.equity()
        else { return }
        let factor = settings.warningFactor.doubleValue
        let rate = settings.maintenanceRate.doubleValue
        let slack = equity.doubleValue - value.maintenance.doubleValue * factor
        let share = 0.999 * max(0, slack) / Double(max(1, value.positions))
        for holding in account.holdings where holding.currency == currency {
            guard let book = bookIndex[holding.symbol] else { continue }
            books[book].isHeld = holding.hasPosition
            if !holding.hasPosition {
                books[book].marginBand = (-.infinity, .infinity)
            } else if balance.isWarned || slack <= 0 {
                books[book].marginBand = (.infinity, -.infinity)
            } else {
                let mark = (books[book].price ?? holding.lastPrice).doubleValue
                let move = share / (holding.size.magnitude.doubleValue * (1 + factor * rate))
                books[book].marginBand = (mark - move, mark + move)
            }
            touch(book)
        }
    }
}
