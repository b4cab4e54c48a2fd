/// An order as it stands. It changes only by events of the ledger, each of which gives it the next version.
public struct Order<Mode: TradingMode>: Hashable, Sendable, Identifiable {
    public var id: OrderID<Mode>
    /// The owner's name for it; orders that the exchange makes itself begin with `~`.
    public var clientOrderID: String
    public var symbol: String
    /// The quote currency: of all prices and amounts here.
    public var currency: String
    public var side: Side
    public var type: OrderType
    public var timeInForce: TimeInForce
    public var status: OrderStatus
    /// In the base currency.
    public var quantity: ExactDecimal
    public var filledQuantity: ExactDecimal
    /// What the fills cost together by their quantity, to 16 decimals; `nil` before the first.
    public var averageFillPrice: ExactDecimal?
    public var limitPrice: ExactDecimal?
    /// Of a trailing stop: where its stop is now; `nil` before the market's first trade.
    public var stopPrice: ExactDecimal?
    public var trail: Trail?
    public var leverage: Int
    public var postOnly: Bool
    public var reduceOnly: Bool
    public var takeProfit: ExactDecimal?
    public var stopLoss: ExactDecimal?
    /// The order whose fills this one closes.
    public var parent: OrderID<Mode>?
    public var ocoGroup: String?
    /// Why it was cancelled, rejected or expired, in a sentence for people.
    public var reason: String?
    /// Seconds since 1970 UTC, as ``updatedAt``.
    public var createdAt: Double
    public var updatedAt: Double
    /// 1 when accepted or rejected, and one more with each change. Of two states the one with the higher version is the
    /// later one, whenever they arrive.
    public var version: Int
    /// Whether a stop's price was touched.
    public var isTriggered: Bool
    /// The price its margin is held at: its limit, its stop, or for a market order what it was expected to trade at.
    public var referencePrice: ExactDecimal
    /// What the fills cost together, in the quote currency; ``averageFillPrice`` is this by ``filledQuantity``.
    public var filledCost: ExactDecimal

    public init(
        id: OrderID<Mode>, request: OrderRequest, currency: String, status: OrderStatus, referencePrice: ExactDecimal,
        time: Double, parent: OrderID<Mode>? = nil, reason: String? = nil
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

    /// What is not filled yet.
    public var remainingQuantity: ExactDecimal { (try? quantity - filledQuantity) ?? .zero }
}
