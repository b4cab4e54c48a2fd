internal import MarketModel

extension AccountState {
    /// An order's first event.
    mutating func create(_ order: Order<Mode>, _ step: OrderStep, _ entry: LedgerEntry<Mode>) throws(LedgerError) {
        try require(order.id.account == id, entry, "\(order.id) is another account's")
        // Orders that were refused have used up the numbers between.
        try require(order.id.number >= nextOrderNumber, entry, "order \(order.id.number) is not the next one")
        try require(order.status == OrderStatus.first(step), entry, "\(order.id) cannot begin as \(order.status)")
        try require(order.version == 1 && order.filledQuantity.isZero, entry, "\(order.id) does not begin empty")
        try require(clientOrders[order.clientOrderID] == nil, entry, "\(order.clientOrderID) is known")
        try require(order.side.opposite != nil, entry, "\(order.id) has an unknown side")
        let known = holdingIndex[order.symbol]
        var holding = known.map { holdings[$0] } ?? Holding(symbol: order.symbol, currency: order.currency)
        try require(holding.currency == order.currency, entry, "\(order.symbol) is in \(holding.currency)")
        if order.status.isActive, !order.reduceOnly, order.leverage != holding.leverage {
            try require(
                !holding.isInUse, entry, "\(order.symbol) has leverage \(holding.leverage)")
            holding.leverage = order.leverage
        }
        try expose(&holding, to: order, entry)

        let index = known ?? holdings.count
        if known != nil {
            holdings[index] = holding
        } else {
            holdingIndex[order.symbol] = index
            holdings.append(holding)
            active.append([])
        }
        orders[order.id.number] = OrderRecord(order: order, holding: index)
        clientOrders[order.clientOrderID] = order.id.number
        nextOrderNumber = order.id.number + 1
        if order.status.isActive {
            active[index].append(order.id.number)
            if let group = order.ocoGroup { groups[group, default: []].append(order.id.number) }
        } else {
            end(order)
        }
    }

    /// Any later event but a fill.
    mutating func change(_ order: Order<Mode>, _ step: OrderStep, _ entry: LedgerEntry<Mode>) throws(LedgerError) {
        let record = try known(order, step, entry)
        let (old, index) = (record.order, record.holding)
        try require(order.filledQuantity == old.filledQuantity, entry, "\(order.id) was filled without a fill")
        try require(order.quantity > order.filledQuantity || !order.status.isActive, entry, "\(order.id) has no rest")
        var holding = holdings[index]
        try expose(&holding, from: old, to: order, entry)
        if order.quantity != old.quantity || order.limitPrice != old.limitPrice || order.stopPrice != old.stopPrice {
            keepRequest(of: old)
        }
        commit(order, index, holding)
    }

    /// An order is about to change in what its request says.
    mutating func keepRequest(of order: Order<Mode>) {
        if requests[order.id.number] == nil { requests[order.id.number] = OrderRequest(order) }
    }

    mutating func fill(_ fill: Fill<Mode>, _ order: Order<Mode>, _ entry: LedgerEntry<Mode>) throws(LedgerError) {
        let isWhole = order.filledQuantity == order.quantity
        let record = try known(order, isWhole ? .fillAll : .fillPart, entry)
        let (old, index) = (record.order, record.holding)
        try require(
            fill.orderID == order.id && fill.symbol == old.symbol && fill.side == old.side, entry,
            "a fill of another order")
        try require(fill.id.account == id && fill.id.number == nextFillNumber, entry, "\(fill.id) is not the next fill")
        try require(fill.quantity.isPositive && fill.price.isPositive, entry, "\(fill.id) has no price or quantity")
        try require(order.filledQuantity <= order.quantity, entry, "\(order.id) is filled beyond its quantity")
        guard let place = balances.index(forKey: fill.fee.currency), fill.fee.currency == holdings[index].currency
        else {
            throw .inconsistent(sequence: entry.sequence, "\(fill.symbol) is not in \(fill.fee.currency)")
        }
        try require(fill.realizedPnL.currency == fill.fee.currency, entry, "profit and fee in different currencies")

        let balance = balances.values[place]
        let holding = holdings[index]
        let (size, cost, changed, filled) = try ranged(entry) { () throws(DecimalError) in
            let notional = try fill.price.multiplied(by: fill.quantity)
            let isBuy = fill.side == .buy
            var changed = balance
            try changed.cash += fill.realizedPnL.amount
            try changed.cash -= fill.fee.amount
            try changed.realized += fill.realizedPnL.amount
            try changed.fees += fill.fee.amount
            return (
                try holding.size + (isBuy ? fill.quantity : -fill.quantity),
                try holding.cost + (isBuy ? notional : -notional) + fill.realizedPnL.amount, changed,
                try old.filledQuantity + fill.quantity
            )
        }
        try require(order.filledQuantity == filled, entry, "\(order.id) is not filled by \(fill.quantity)")
        try require(
            size.isZero ? cost.isZero : cost.isZero || cost.isNegative == size.isNegative, entry,
            "the profit of \(fill.id) does not fit its position")
        var after = holding
        try expose(&after, from: old, to: order, entry)
        let realized =
            holding.size.isNegative == size.isNegative && holding.hasPosition
            ? try ranged(entry) { () throws(DecimalError) in try holding.realized + fill.realizedPnL.amount } : .zero

        if !holding.hasPosition || (!size.isZero && size.isNegative != holding.size.isNegative) {
            after.createdAt = fill.time
        }
        (after.size, after.cost, after.realized) = (size, cost, size.isZero ? .zero : realized)
        (after.lastPrice, after.updatedAt) = (fill.price, fill.time)
        balances.values[place] = changed
        nextFillNumber += 1
        recentFills.append(fill)
        if recentFills.count > Self.keptFills + Self.keptFills / 4 {
            recentFills.removeFirst(recentFills.count - Self.keptFills)
        }
        commit(order, index, after)
    }

    /// The order as it was, and its market, when `step` may lead to `order`.
    private func known(
        _ order: Order<Mode>, _ step: OrderStep, _ entry: LedgerEntry<Mode>
    ) throws(LedgerError) -> OrderRecord<Mode> {
        guard order.id.account == id, let record = orders[order.id.number] else {
            throw .inconsistent(sequence: entry.sequence, "\(order.id) is not known")
        }
        let old = record.order
        try require(
            old.status.after(step) == order.status, entry, "\(order.id) is \(old.status): no way to \(order.status)")
        try require(order.version == old.version + 1, entry, "\(order.id) has version \(old.version)")
        try require(
            order.symbol == old.symbol && order.side == old.side && order.clientOrderID == old.clientOrderID
                && order.reduceOnly == old.reduceOnly && order.ocoGroup == old.ocoGroup, entry,
            "\(order.id) became another order")
        return record
    }

    /// Adds to a holding what an order adds to it, in place of what it added before.
    private func expose(
        _ holding: inout Holding, from old: Order<Mode>? = nil, to new: Order<Mode>, _ entry: LedgerEntry<Mode>
    ) throws(LedgerError) {
        try ranged(entry) { () throws(DecimalError) in
            try holding.replace(old?.exposure() ?? Exposure(), with: new.exposure(), new.side)
        }
    }

    private mutating func commit(_ order: Order<Mode>, _ index: Int, _ holding: Holding) {
        holdings[index] = holding
        orders[order.id.number] = OrderRecord(order: order, holding: index)
        if order.status.isActive { return }
        Self.remove(order.id.number, from: &active[index])
        if let group = order.ocoGroup {
            Self.remove(order.id.number, from: &groups[group, default: []])
            if groups[group]?.isEmpty == true { groups[group] = nil }
        }
        end(order)
    }

    /// - Complexity: O(log n) to find it; the rest moves up.
    private static func remove(_ number: Int, from numbers: inout [Int]) {
        let index = numbers.partitioningIndex { $0 >= number }
        if index < numbers.count, numbers[index] == number { numbers.remove(at: index) }
    }

    /// Remembers an order that came to its end, and forgets the oldest of too many.
    private mutating func end(_ order: Order<Mode>) {
        done.append(order.id.number)
        guard done.count > Self.keptDoneOrders + Self.keptDoneOrders / 4 else { return }
        let excess = done.count - Self.keptDoneOrders
        for number in done.prefix(excess) {
            if let old = orders[number] { clientOrders[old.order.clientOrderID] = nil }
            orders[number] = nil
            requests[number] = nil
        }
        done.removeFirst(excess)
    }
}

extension OrderRequest {
    /// The request of an order, as it was accepted.
    init<Mode>(_ order: Order<Mode>) {
        self.init(
            clientOrderID: order.clientOrderID, symbol: order.symbol, side: order.side, type: order.type,
            timeInForce: order.timeInForce, quantity: order.quantity, limitPrice: order.limitPrice,
            stopPrice: order.stopPrice, trail: order.trail, postOnly: order.postOnly, reduceOnly: order.reduceOnly,
            leverage: order.leverage, takeProfit: order.takeProfit, stopLoss: order.stopLoss, ocoGroup: order.ocoGroup)
    }
}
