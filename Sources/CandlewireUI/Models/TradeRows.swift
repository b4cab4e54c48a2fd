public import TradingCore

/// A position as a list shows it.
public struct PositionRow<Mode: TradingMode>: Sendable, Hashable, Identifiable {
    public let position: Position<Mode>
    /// `Long 0.25 BTC-USD, 5×`
    public let title: String
    public let profit: String
    public let movement: Movement
    public let figures: [Figure]

    public var id: PositionID<Mode> { position.id }

    public init(_ position: Position<Mode>, _ formats: Formats) {
        self.position = position
        title = "\(position.side.words) \(formats.exact(position.size)) \(position.symbol), \(position.leverage)×"
        let amount = formats.signed(position.unrealizedPnL, decimals: QuoteCurrency.decimals(of: position.currency))
        profit = "\(amount) \(position.currency)"
        movement = Movement(amount)
        var figures = [
            Figure(localized("Entry price"), formats.money(position.entryPrice, position.currency)),
            Figure(localized("Mark price"), formats.money(position.markPrice, position.currency)),
            Figure(localized("Return on margin"), "\(formats.signed(position.marginPercent))%"),
        ]
        let others = [
            (localized("Liquidation price"), position.liquidationPrice),
            (localized("Take profit"), position.takeProfit),
            (localized("Stop loss"), position.stopLoss),
        ]
        for case (let name, let price?) in others {
            figures.append(Figure(name, formats.money(price, position.currency)))
        }
        self.figures = figures
    }

    public var spokenValue: String { localized("profit %@, %@", profit, movement.accessibilityLabel) }
}

/// An order as a list shows it.
public struct OrderRow<Mode: TradingMode>: Sendable, Hashable, Identifiable {
    public let order: Order<Mode>
    /// `Buy 0.25 BTC-USD`
    public let title: String
    /// Type, prices and attached orders.
    public let terms: String
    /// Its status, with the reason where there is one.
    public let status: String
    public let canCancel: Bool

    public var id: OrderID<Mode> { order.id }

    public init(_ order: Order<Mode>, _ formats: Formats, title: String) {
        self.order = order
        self.title = title
        let price = { (value: ExactDecimal) in formats.money(value, order.currency) }
        var terms = [order.type.words]
        if let stop = order.stopPrice { terms.append(localized("stop %@", price(stop))) }
        if let limit = order.limitPrice { terms.append(localized("limit %@", price(limit))) }
        if let average = order.averageFillPrice { terms.append(localized("filled at %@", price(average))) }
        if let profit = order.takeProfit { terms.append(localized("take profit %@", price(profit))) }
        if let loss = order.stopLoss { terms.append(localized("stop loss %@", price(loss))) }
        self.terms = terms.joined(separator: ", ")
        let part =
            order.status == .partiallyFilled
            ? "\(formats.exact(order.filledQuantity)) / \(formats.exact(order.quantity))" : nil
        status = [order.status.words, part, order.reason].compactMap(\.self).joined(separator: ", ")
        canCancel = order.status.isActive
    }
}
