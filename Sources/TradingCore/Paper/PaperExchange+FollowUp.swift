/// What a fill brings about: brackets, groups, and orders that have nothing left to do.
extension PaperExchange {
    mutating func follow(up order: Order<Paper>, _ fill: Fill<Paper>, _ book: Int) {
        guard let index = books[book].holding else { return }
        reduceGroup(of: order, by: fill.quantity)
        let size = account.holdings[index].size
        dropUseless(book, index, size)
        if order.takeProfit != nil || order.stopLoss != nil { extendBracket(of: order, by: fill.quantity, book) }
        fitPositionBracket(order.symbol, size)
    }

    /// One cancels the other: what one order of a group fills is taken off the others, and when it is filled whole they are
    /// cancelled.
    private mutating func reduceGroup(of order: Order<Paper>, by quantity: ExactDecimal) {
        guard let group = order.ocoGroup, let members = account.groups[group], !Self.isPositionGroup(group) else {
            return
        }
        for number in members where number != order.id.number {
            guard let other = account.orders[number]?.order, other.status.isActive else { continue }
            let rest = (try? other.quantity - quantity) ?? other.filledQuantity
            if order.status == .filled || rest <= other.filledQuantity {
                cancel(number, reason: "\(order.id) of its group was filled.")
            } else {
                emit(.orderAmended(next(other) { $0.quantity = rest }))
            }
        }
    }

    /// Reduce-only orders that could only wait for a position that is gone.
    private mutating func dropUseless(_ book: Int, _ index: Int, _ size: ExactDecimal) {
        guard account.active[index].count > 0 else { return }
        let closing: Side? = size.isZero ? nil : size.isNegative ? .buy : .sell
        // Only a position that ended or turned leaves such orders behind, so most fills look at nothing here.
        guard size.isZero || books[book].lastClosing != closing else { return }
        books[book].lastClosing = closing
        for number in account.active[index] {
            guard let order = account.orders[number]?.order, order.reduceOnly, order.side != closing else { continue }
            cancel(number, reason: "There is nothing left to reduce.")
        }
    }

    /// The orders that close what `order` opened: made with its first fill, and grown with the next ones.
    private mutating func extendBracket(of order: Order<Paper>, by quantity: ExactDecimal, _ book: Int) {
        let group = "order:\(order.id.number)"
        let children = account.groups[group] ?? []
        if children.isEmpty {
            let closing: Side = order.side == .buy ? .sell : .buy
            close(
                book, closing, quantity, takeProfit: order.takeProfit, stopLoss: order.stopLoss, group: group,
                parent: order.id)
            return
        }
        for number in children {
            guard let child = account.orders[number]?.order, let grown = try? child.quantity + quantity else {
                continue
            }
            emit(.orderAmended(next(child) { $0.quantity = grown }))
        }
    }

    /// The orders that close a whole position stay as large as it is.
    private mutating func fitPositionBracket(_ symbol: String, _ size: ExactDecimal) {
        guard !size.isZero, !account.groups.isEmpty, let members = account.groups[Self.positionGroup(symbol)] else {
            return
        }
        for number in members {
            guard let order = account.orders[number]?.order, let quantity = try? order.filledQuantity + size.magnitude,
                quantity != order.quantity
            else { continue }
            emit(.orderAmended(next(order) { $0.quantity = quantity }))
        }
    }

    /// Makes a limit order and a stop that close a position, one cancelling the other.
    mutating func close(
        _ book: Int, _ side: Side, _ quantity: ExactDecimal, takeProfit: ExactDecimal?, stopLoss: ExactDecimal?,
        group: String, parent: OrderID<Paper>?
    ) {
        let symbol = books[book].symbol
        for (type, price, name) in [(OrderType.limit, takeProfit, "take-profit"), (.stop, stopLoss, "stop-loss")] {
            guard let price else { continue }
            let number = account.nextOrderNumber
            let request = OrderRequest(
                clientOrderID: "~\(name)-\(number)", symbol: symbol, side: side, type: type, quantity: quantity,
                limitPrice: type == .limit ? price : nil, stopPrice: type == .stop ? price : nil, reduceOnly: true,
                leverage: account.leverage(symbol: symbol) ?? 1, ocoGroup: group)
            if accept(request, book, referencePrice: price, parent: parent) != nil { arrivals.append(number) }
        }
    }

    /// Writes an order down as accepted.
    mutating func accept(
        _ request: OrderRequest, _ book: Int, referencePrice: ExactDecimal, parent: OrderID<Paper>? = nil
    ) -> OrderRecord<Paper>? {
        let number = account.nextOrderNumber
        let isAccepted = emit(
            .orderAccepted(
                Order<Paper>(
                    id: OrderID(account: account.id, number: number), request: request, currency: books[book].currency,
                    status: .new, referencePrice: referencePrice, time: clock, parent: parent)), of: number)
        return isAccepted ? account.orders[number] : nil
    }

    static func positionGroup(_ symbol: String) -> String { "position:\(symbol)" }
    static func isPositionGroup(_ group: String) -> Bool { group.hasPrefix("position:") }
}
