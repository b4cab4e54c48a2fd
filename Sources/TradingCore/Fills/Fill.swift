/// A trade of ours, whole or a part of an order. A copy costs a reference.
public struct Fill<Mode: TradingMode>: Sendable, Identifiable {
    /// Never changed, only replaced.
    private var box: FillBox<Mode>

    private mutating func change(_ change: (inout FillFields<Mode>) -> Void) {
        var fields = box.fields
        change(&fields)
        box = FillBox(fields)
    }

    public var id: FillID<Mode> {
        get { box.fields.id }
        set { change { $0.id = newValue } }
    }
    public var orderID: OrderID<Mode> {
        get { box.fields.orderID }
        set { change { $0.orderID = newValue } }
    }
    public var symbol: String {
        get { box.fields.symbol }
        set { change { $0.symbol = newValue } }
    }
    public var side: Side {
        get { box.fields.side }
        set { change { $0.side = newValue } }
    }
    /// In the quote currency.
    public var price: ExactDecimal {
        get { box.fields.price }
        set { change { $0.price = newValue } }
    }
    /// In the base currency.
    public var quantity: ExactDecimal {
        get { box.fields.quantity }
        set { change { $0.quantity = newValue } }
    }
    public var fee: Money {
        get { box.fields.fee }
        set { change { $0.fee = newValue } }
    }
    public var liquidity: Liquidity {
        get { box.fields.liquidity }
        set { change { $0.liquidity = newValue } }
    }
    /// The profit of what the fill closed, without its fee; zero where it only opened. In the currency of the fee.
    public var realizedPnL: Money {
        get { box.fields.realizedPnL }
        set { change { $0.realizedPnL = newValue } }
    }
    /// Seconds since 1970 UTC.
    public var time: Double {
        get { box.fields.time }
        set { change { $0.time = newValue } }
    }
    public var receipt: FillReceipt {
        get { box.fields.receipt }
        set { change { $0.receipt = newValue } }
    }

    public init(
        id: FillID<Mode>, orderID: OrderID<Mode>, symbol: String, side: Side, price: ExactDecimal,
        quantity: ExactDecimal, fee: Money, liquidity: Liquidity, realizedPnL: Money, time: Double,
        receipt: FillReceipt
    ) {
        box = FillBox(
            FillFields(
                id: id, orderID: orderID, symbol: symbol, side: side, price: price, quantity: quantity, fee: fee,
                liquidity: liquidity, realizedPnL: realizedPnL, time: time, receipt: receipt))
    }
}

extension Fill: Hashable {
    public static func == (left: Fill, right: Fill) -> Bool {
        left.box === right.box || left.box.fields == right.box.fields
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(box.fields) }
}

/// What a fill has; see ``Fill`` for what each means.
private struct FillFields<Mode: TradingMode>: Hashable, Sendable {
    var id: FillID<Mode>
    var orderID: OrderID<Mode>
    var symbol: String
    var side: Side
    var price: ExactDecimal
    var quantity: ExactDecimal
    var fee: Money
    var liquidity: Liquidity
    var realizedPnL: Money
    var time: Double
    var receipt: FillReceipt
}

/// What all copies of a fill share.
private final class FillBox<Mode: TradingMode>: Sendable {
    let fields: FillFields<Mode>

    init(_ fields: FillFields<Mode>) { self.fields = fields }
}

extension Fill: Codable {
    enum CodingKeys: String, CodingKey {
        case id, symbol, side, price, quantity, fee, liquidity, timestamp, receipt
        case orderID = "order_id"
        case feeCurrency = "fee_currency"
        case realizedPnL = "realized_pnl"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let currency = try container.decode(String.self, forKey: .feeCurrency)
        self.init(
            id: try container.decode(FillID<Mode>.self, forKey: .id),
            orderID: try container.decode(OrderID<Mode>.self, forKey: .orderID),
            symbol: try container.decode(String.self, forKey: .symbol),
            side: try container.decode(Side.self, forKey: .side),
            price: try container.decode(ExactDecimal.self, forKey: .price),
            quantity: try container.decode(ExactDecimal.self, forKey: .quantity),
            fee: Money(try container.decode(ExactDecimal.self, forKey: .fee), currency),
            liquidity: try container.decode(Liquidity.self, forKey: .liquidity),
            realizedPnL: Money(try container.decode(ExactDecimal.self, forKey: .realizedPnL), currency),
            time: try container.decode(Double.self, forKey: .timestamp),
            receipt: try container.decode(FillReceipt.self, forKey: .receipt))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(orderID, forKey: .orderID)
        try container.encode(symbol, forKey: .symbol)
        try container.encode(side, forKey: .side)
        try container.encode(price, forKey: .price)
        try container.encode(quantity, forKey: .quantity)
        try container.encode(fee.amount, forKey: .fee)
        try container.encode(fee.currency, forKey: .feeCurrency)
        try container.encode(liquidity, forKey: .liquidity)
        try container.encode(realizedPnL.amount, forKey: .realizedPnL)
        try container.encode(time, forKey: .timestamp)
        try container.encode(receipt, forKey: .receipt)
    }
}
