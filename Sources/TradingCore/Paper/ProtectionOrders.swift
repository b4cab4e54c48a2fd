/// The orders that protect positions: take profit and stop loss, groups of which one cancels the other, and orders that
/// only reduce. Decides what follows from a fill; the exchange carries it out.
struct ProtectionOrders: Sendable {
    enum Action: Equatable {
        case cancel(Int, reason: String)
        /// Sets the quantity of an order, with what is filled of it.
        case resize(Int, quantity: ExactDecimal)
        case place(Leg)
    }

    /// A reduce-only order of a bracket.
    struct Leg: Equatable {
        /// ``OrderType/limit`` takes a profit, ``OrderType/stop`` limits a loss.
        var type: OrderType
        var side: Side
        var quantity: ExactDecimal
        var price: ExactDecimal
        var group: String
        var parent: OrderID<Paper>?

        /// The client order id that the exchange gives it.
        func clientOrderID(number: Int) -> String { "~\(type == .limit ? "take-profit" : "stop-loss")-\(number)" }
    }

    /// By market, the side that closes the position, as it was after the last fill.
    private var closingSides: [Side?] = []

    mutating func addMarket() { closingSides.append(nil) }

    /// After a reset: the account holds nothing.
    mutating func removeHoldings() { closingSides = closingSides.map { _ in nil } }

    // MARK: What follows from a fill

    /// One cancels the other: what one order of a group fills is subtracted from the others, and when it is filled whole they
    /// are cancelled.
    static func groupActions(
        of order: Order<Paper>, filled quantity: ExactDecimal, _ account: AccountState<Paper>
    ) -> [Action] {
        guard let group = order.ocoGroup, !isPositionGroup(group), let members = account.groups[group] else {
            return []
        }
        return members.compactMap { number in
            guard number != order.id.number, let other = account.activeRecord(number)?.order else { return nil }
            let rest = (try? other.quantity - quantity) ?? other.filledQuantity
            return order.status == .filled || rest <= other.filledQuantity
                ? .cancel(number, reason: "\(order.id) of its group was filled.") : .resize(number, quantity: rest)
        }
    }

    /// Cancels the reduce-only orders that could only wait for a position that is gone.
    mutating func uselessOrderActions(_ market: Int, holding index: Int, _ account: AccountState<Paper>) -> [Action] {
        let size = account.holdings[index].size
        let closing: Side? = size.isZero ? nil : size.isNegative ? .buy : .sell
        // Only a position that ended or turned leaves such orders behind, so most fills look at nothing here.
        guard size.isZero || closingSides[market] != closing else { return [] }
        closingSides[market] = closing
        if account.active[index].isEmpty { return [] }
        return account.active[index].compactMap { number in
            guard let order = account.orders[number]?.order, order.reduceOnly, order.side != closing else { return nil }
            return .cancel(number, reason: "There is nothing left to reduce.")
        }
    }

    /// The orders that close what `order` opened: placed with its first fill, and grown with the next ones.
    static func bracketActions(
        of order: Order<Paper>, filled quantity: ExactDecimal, _ account: AccountState<Paper>
    ) -> [Action] {
        if order.takeProfit == nil, order.stopLoss == nil { return [] }
        let group = "order:\(order.id.number)"
        guard let children = account.groups[group] else {
            return legs(
                closing: order.side == .buy ? .long : .short, quantity, takeProfit: order.takeProfit,
                stopLoss: order.stopLoss, group: group, parent: order.id)
        }
        return children.compactMap { number in
            guard let child = account.orders[number]?.order, let grown = try? child.quantity + quantity else {
                return nil
            }
            return .resize(number, quantity: grown)
        }
    }

    /// The orders that close a whole position stay as large as it is.
    static func positionBracketActions(
        _ symbol: String, size: ExactDecimal, _ account: AccountState<Paper>
    ) -> [Action] {
        guard !size.isZero, !account.groups.isEmpty, let members = account.groups[positionGroup(symbol)] else {
            return []
        }
        return members.compactMap { number in
            guard let order = account.orders[number]?.order, let quantity = try? order.filledQuantity + size.magnitude,
                quantity != order.quantity
            else { return nil }
            return .resize(number, quantity: quantity)
        }
    }

    // MARK: A bracket of a whole position

    /// Puts other orders in place of all that close a position now; none for a price of `nil`. Throws for a price on the wrong
    /// side of the market.
    static func bracketActions(
        of position: Position<Paper>, takeProfit: ExactDecimal?, stopLoss: ExactDecimal?, mark: ExactDecimal,
        _ account: AccountState<Paper>
    ) throws(TradingRejection) -> [Action] {
        let isLong = position.side == .long
        for (price, field) in [(takeProfit, "take_profit"), (stopLoss, "stop_loss")] {
            guard let price else { continue }
            guard PaperExchange.isAmount(price) else {
                throw TradingRejection(.invalid, field: field, PaperExchange.amountRange)
            }
            let isAbove = (field == "take_profit") == isLong
            guard isAbove ? price > mark : price < mark else {
                throw TradingRejection(
                    .invalid, field: field, "must be \(isAbove ? "above" : "below") the market, \(mark.grouped)")
            }
        }
        let replaced = account.activeOrders(symbol: position.symbol)
            .filter { $0.reduceOnly && $0.ocoGroup?.contains(":") == true }
        return replaced.map { .cancel($0.id.number, reason: "Replaced.") }
            + legs(
                closing: position.side, position.size, takeProfit: takeProfit, stopLoss: stopLoss,
                group: positionGroup(position.symbol), parent: nil)
    }

    /// A limit order and a stop that close a position, one cancelling the other.
    private static func legs(
        closing side: PositionSide, _ quantity: ExactDecimal, takeProfit: ExactDecimal?, stopLoss: ExactDecimal?,
        group: String, parent: OrderID<Paper>?
    ) -> [Action] {
        [(OrderType.limit, takeProfit), (.stop, stopLoss)].compactMap { type, price in
            price.map {
                .place(
                    Leg(
                        type: type, side: side == .long ? .sell : .buy, quantity: quantity, price: $0, group: group,
                        parent: parent))
            }
        }
    }

    private static func positionGroup(_ symbol: String) -> String { "position:\(symbol)" }
    private static func isPositionGroup(_ group: String) -> Bool { group.hasPrefix("position:") }
}
