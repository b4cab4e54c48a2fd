/// Margin is shared by all positions of a currency: a warning comes first, then all of them are closed.
extension PaperExchange {
    /// The margin of a currency has to be looked at again.
    mutating func alarm(_ purse: Int) {
        if purses[purse].isUneasy { return }
        purses[purse].isUneasy = true
        uneasy.append(purse)
    }

    mutating func checkMargins() {
        if uneasy.count > 1 {
            // By name, so that the order does not depend on what was traded first.
            let purses = purses
            uneasy.sort { purses[$0].currency > purses[$1].currency }
        }
        while let purse = uneasy.popLast() {
            purses[purse].isUneasy = false
            checkMargin(purse)
        }
    }

    private mutating func checkMargin(_ purse: Int) {
        let currency = purses[purse].currency
        updatePositions(purse)
        guard let balance = account.balances[currency], let value = try? positionValue(purse),
            let equity = try? value.equity(),
            let warning = try? value.maintenance.multiplied(by: settings.warningFactor, rounding: .up)
        else { return }
        func call() -> MarginCall {
            MarginCall(currency: currency, equity: equity, maintenanceMargin: value.maintenance)
        }
        if value.positions > 0, equity <= value.maintenance {
            if !balance.isWarned { emit(.liquidationWarned(call())) }
            liquidate(call())
            updatePositions(purse)
            guard let left = try? positionValue(purse), let equity = try? left.equity() else { return }
            findBands(purse, left, equity)
            return
        }
        if value.positions > 0, equity <= warning {
            if !balance.isWarned { emit(.liquidationWarned(call())) }
        } else if balance.isWarned {
            // Twice as far from the end as the warning: an equity that trembles there does not warn with every trade.
            let distance = (try? warning - value.maintenance) ?? .zero
            if value.positions == 0 || equity > ((try? warning + distance) ?? .greatest) {
                emit(.marginRestored(call()))
            }
        }
        findBands(purse, value, equity)
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
            guard let order = accept(request, book, referencePrice: mark)?.order else { continue }
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
        // Its own fills have raised the alarm again.
        let purse = purse(of: call.currency)
        purses[purse].isUneasy = false
        uneasy.removeAll { $0 == purse }
    }
}
