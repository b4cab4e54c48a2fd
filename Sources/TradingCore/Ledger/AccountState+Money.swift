extension AccountState {
    mutating func open(_ capital: [Money], _ entry: LedgerEntry<Mode>) throws(LedgerError) {
        var balances: [String: Balance] = [:]
        for money in capital {
            try require(!money.amount.isNegative, entry, "capital below zero")
            try require(balances[money.currency] == nil, entry, "\(money.currency) twice")
            balances[money.currency] = Balance(capital: money.amount)
        }
        self.balances = balances
        begin(entry)
    }

    /// An account without orders and fills.
    private mutating func begin(_ entry: LedgerEntry<Mode>) {
        (beganAt, isDeleted) = (entry.time, false)
        (firstOrderNumber, firstFillNumber) = (nextOrderNumber, nextFillNumber)
    }

    mutating func deposit(_ money: Money, _ entry: LedgerEntry<Mode>) throws(LedgerError) {
        try require(money.amount.isPositive, entry, "a deposit is above zero")
        let balance = balances[money.currency] ?? Balance(capital: .zero)
        balances[money.currency] = try ranged(entry) { () throws(DecimalError) in
            var changed = balance
            try changed.capital += money.amount
            try changed.cash += money.amount
            return changed
        }
    }

    mutating func setWarned(_ isWarned: Bool, _ call: MarginCall, _ entry: LedgerEntry<Mode>) throws(LedgerError) {
        let balance = try balance(in: call.currency, entry)
        try require(balance.isWarned != isWarned, entry, isWarned ? "warned twice" : "restored without a warning")
        balances[call.currency]?.isWarned = isWarned
    }

    mutating func liquidate(_ call: MarginCall, _ entry: LedgerEntry<Mode>) throws(LedgerError) {
        let balance = try balance(in: call.currency, entry)
        try require(!call.writtenOff.isNegative, entry, "a debt below zero was written off")
        balances[call.currency] = try ranged(entry) { () throws(DecimalError) in
            var changed = balance
            try changed.cash += call.writtenOff
            try changed.writtenOff += call.writtenOff
            changed.isWarned = false
            return changed
        }
    }

    private func balance(in currency: String, _ entry: LedgerEntry<Mode>) throws(LedgerError) -> Balance {
        guard let balance = balances[currency] else {
            throw .inconsistent(sequence: entry.sequence, "no balance in \(currency)")
        }
        return balance
    }

    mutating func setLeverage(_ symbol: String, _ leverage: Int, _ entry: LedgerEntry<Mode>) throws(LedgerError) {
        guard let index = holdingIndex[symbol] else {
            throw .inconsistent(sequence: entry.sequence, "no orders were ever placed in \(symbol)")
        }
        try require(leverage > 0, entry, "leverage below 1")
        holdings[index].leverage = leverage
        for number in active[index] {
            guard let order = orders[number]?.order, !order.reduceOnly else { continue }
            keepRequest(of: order)
            let changed = order.changed {
                $0.leverage = leverage
                $0.version += 1
                $0.updatedAt = entry.time
            }
            orders[number] = OrderRecord(order: changed, holding: index)
        }
    }

    mutating func reset(_ capital: [Money], _ entry: LedgerEntry<Mode>) throws(LedgerError) {
        try open(capital, entry)
        removeHoldings()
    }

    mutating func delete(_ end: AccountEnd, _ entry: LedgerEntry<Mode>) throws(LedgerError) {
        try require(
            end.nextOrder >= nextOrderNumber && end.nextFill == nextFillNumber, entry, "numbers were used already")
        nextOrderNumber = end.nextOrder
        balances = [:]
        removeHoldings()
        begin(entry)
        isDeleted = true
    }

    private mutating func removeHoldings() {
        holdings = []
        holdingIndex = [:]
        active = []
        orders = NumberedTable()
        requests = [:]
        clientOrders = [:]
        groups = [:]
        done = []
        recentFills = []
    }
}
