/// What an order has; see ``Order`` for what each means.
package struct OrderFields<Mode: TradingMode>: Hashable, Sendable {
    package var id: OrderID<Mode>
    package var clientOrderID: String
    package var symbol: String
    package var currency: String
    package var side: Side
    package var type: OrderType
    package var timeInForce: TimeInForce
    package var status: OrderStatus
    package var quantity: ExactDecimal
    package var filledQuantity: ExactDecimal
    package var averageFillPrice: ExactDecimal?
    package var limitPrice: ExactDecimal?
    package var stopPrice: ExactDecimal?
    package var trail: Trail?
    package var leverage: Int
    package var postOnly: Bool
    package var reduceOnly: Bool
    package var takeProfit: ExactDecimal?
    package var stopLoss: ExactDecimal?
    package var parent: OrderID<Mode>?
    package var ocoGroup: String?
    package var reason: String?
    package var createdAt: Double
    package var updatedAt: Double
    package var version: Int
    package var isTriggered: Bool
    package var referencePrice: ExactDecimal
    package var filledCost: ExactDecimal

    package init(
        id: OrderID<Mode>, request: OrderRequest, currency: String, status: OrderStatus, referencePrice: ExactDecimal,
        time: Double, parent: OrderID<Mode>?, reason: String?
    ) {
        self.id = id
        clientOrderID = request.clientOrderID
        symbol = request.symbol
        self.currency = currency
        side = request.side
        type = request.type
        timeInForce = request.timeInForce
        self.status = status
        quantity = request.quantity
        filledQuantity = .zero
        averageFillPrice = nil
        limitPrice = request.limitPrice
        stopPrice = request.stopPrice
        trail = request.trail
        leverage = request.leverage ?? 1
        postOnly = request.postOnly
        reduceOnly = request.reduceOnly
        takeProfit = request.takeProfit
        stopLoss = request.stopLoss
        self.parent = parent
        ocoGroup = request.ocoGroup
        self.reason = reason
        createdAt = time
        updatedAt = time
        version = 1
        isTriggered = false
        self.referencePrice = referencePrice
        filledCost = .zero
    }
}

/// What all copies of an order share.
final class OrderBox<Mode: TradingMode>: Sendable {
    let fields: OrderFields<Mode>

    init(_ fields: OrderFields<Mode>) { self.fields = fields }
}
