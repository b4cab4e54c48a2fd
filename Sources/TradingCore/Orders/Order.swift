/// An order as it stands. It changes only by events of the ledger, each of which gives it the next version.
///
/// A copy costs a reference: events, lists and answers share what an order has.
public struct Order<Mode: TradingMode>: Sendable, Identifiable {
    /// Never changed, only replaced.
    private var box: OrderBox<Mode>

    package init(_ fields: OrderFields<Mode>) { box = OrderBox(fields) }

    /// The order with other fields.
    func changed(_ change: (inout OrderFields<Mode>) -> Void) -> Order {
        var fields = box.fields
        change(&fields)
        return Order(fields)
    }

    private mutating func change(_ change: (inout OrderFields<Mode>) -> Void) { self = changed(change) }

    public var id: OrderID<Mode> {
        get { box.fields.id }
        set { change { $0.id = newValue } }
    }
    /// The owner's name for it; orders that the exchange makes itself begin with `~`.
    public var clientOrderID: String {
        get { box.fields.clientOrderID }
        set { change { $0.clientOrderID = newValue } }
    }
    public var symbol: String {
        get { box.fields.symbol }
        set { change { $0.symbol = newValue } }
    }
    /// The quote currency: of all prices and amounts here.
    public var currency: String {
        get { box.fields.currency }
        set { change { $0.currency = newValue } }
    }
    public var side: Side {
        get { box.fields.side }
        set { change { $0.side = newValue } }
    }
    public var type: OrderType {
        get { box.fields.type }
        set { change { $0.type = newValue } }
    }
    public var timeInForce: TimeInForce {
        get { box.fields.timeInForce }
        set { change { $0.timeInForce = newValue } }
    }
    public var status: OrderStatus {
        get { box.fields.status }
        set { change { $0.status = newValue } }
    }
    /// In the base currency.
    public var quantity: ExactDecimal {
        get { box.fields.quantity }
        set { change { $0.quantity = newValue } }
    }
    public var filledQuantity: ExactDecimal {
        get { box.fields.filledQuantity }
        set { change { $0.filledQuantity = newValue } }
    }
    /// What the fills cost together by their quantity, to 16 decimals; `nil` before the first.
    public var averageFillPrice: ExactDecimal? {
        get { box.fields.averageFillPrice }
        set { change { $0.averageFillPrice = newValue } }
    }
    public var limitPrice: ExactDecimal? {
        get { box.fields.limitPrice }
        set { change { $0.limitPrice = newValue } }
    }
    /// Of a trailing stop: where its stop is now; `nil` before the market's first trade.
    public var stopPrice: ExactDecimal? {
        get { box.fields.stopPrice }
        set { change { $0.stopPrice = newValue } }
    }
    public var trail: Trail? {
        get { box.fields.trail }
        set { change { $0.trail = newValue } }
    }
    public var leverage: Int {
        get { box.fields.leverage }
        set { change { $0.leverage = newValue } }
    }
    public var postOnly: Bool {
        get { box.fields.postOnly }
        set { change { $0.postOnly = newValue } }
    }
    public var reduceOnly: Bool {
        get { box.fields.reduceOnly }
        set { change { $0.reduceOnly = newValue } }
    }
    public var takeProfit: ExactDecimal? {
        get { box.fields.takeProfit }
        set { change { $0.takeProfit = newValue } }
    }
    public var stopLoss: ExactDecimal? {
        get { box.fields.stopLoss }
        set { change { $0.stopLoss = newValue } }
    }
    /// The order whose fills this one closes.
    public var parent: OrderID<Mode>? {
        get { box.fields.parent }
        set { change { $0.parent = newValue } }
    }
    public var ocoGroup: String? {
        get { box.fields.ocoGroup }
        set { change { $0.ocoGroup = newValue } }
    }
    /// Why it was cancelled, rejected or expired, in a sentence for people.
    public var reason: String? {
        get { box.fields.reason }
        set { change { $0.reason = newValue } }
    }
    /// Seconds since 1970 UTC, as ``updatedAt``.
    public var createdAt: Double {
        get { box.fields.createdAt }
        set { change { $0.createdAt = newValue } }
    }
    public var updatedAt: Double {
        get { box.fields.updatedAt }
        set { change { $0.updatedAt = newValue } }
    }
    /// 1 when accepted or rejected, and one more with each change. Of two states the one with the higher version is the
    /// later one, whenever they arrive.
    public var version: Int {
        get { box.fields.version }
        set { change { $0.version = newValue } }
    }
    /// Whether a stop's price was touched.
    public var isTriggered: Bool {
        get { box.fields.isTriggered }
        set { change { $0.isTriggered = newValue } }
    }
    /// The price its margin is held at: its limit, its stop, or for a market order what it was expected to trade at.
    public var referencePrice: ExactDecimal {
        get { box.fields.referencePrice }
        set { change { $0.referencePrice = newValue } }
    }
    /// What the fills cost together, in the quote currency; ``averageFillPrice`` is this by ``filledQuantity``.
    public var filledCost: ExactDecimal {
        get { box.fields.filledCost }
        set { change { $0.filledCost = newValue } }
    }

    public init(
        id: OrderID<Mode>, request: OrderRequest, currency: String, status: OrderStatus, referencePrice: ExactDecimal,
        time: Double, parent: OrderID<Mode>? = nil, reason: String? = nil
    ) {
        self.init(
            OrderFields(
                id: id, request: request, currency: currency, status: status, referencePrice: referencePrice,
                time: time, parent: parent, reason: reason))
    }

    /// What is not filled yet.
    public var remainingQuantity: ExactDecimal { (try? quantity - filledQuantity) ?? .zero }
}

extension Order: Hashable {
    public static func == (left: Order, right: Order) -> Bool {
        left.box === right.box || left.box.fields == right.box.fields
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(box.fields) }
}
