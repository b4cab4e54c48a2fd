/// A trade of ours, whole or a part of an order.
public struct Fill<Mode: TradingMode>: Hashable, Sendable, Identifiable {
    public var id: FillID<Mode>
    public var orderID: OrderID<Mode>
    public var symbol: String
    public var side: Side
    /// In the quote currency.
    public var price: ExactDecimal
    /// In the base currency.
    public var quantity: ExactDecimal
    public var fee: Money
    public var liquidity: Liquidity
    /// The profit of what the fill closed, without its fee; zero where it only opened. In the currency of the fee.
    public var realizedPnL: Money
    /// Seconds since 1970 UTC.
    public var time: Double
    public var receipt: FillReceipt

    public init(
        id: FillID<Mode>, orderID: OrderID<Mode>, symbol: String, side: Side, price: ExactDecimal,
        quantity: ExactDecimal, fee: Money, liquidity: Liquidity, realizedPnL: Money, time: Double,
        receipt: FillReceipt
    ) {
        self.id = id
        self.orderID = orderID
        self.symbol = symbol
        self.side = side
        self.price = price
        self.quantity = quantity
        self.fee = fee
        self.liquidity = liquidity
        self.realizedPnL = realizedPnL
        self.time = time
        self.receipt = receipt
    }
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
        id = try container.decode(FillID<Mode>.self, forKey: .id)
        orderID = try container.decode(OrderID<Mode>.self, forKey: .orderID)
        symbol = try container.decode(String.self, forKey: .symbol)
        side = try container.decode(Side.self, forKey: .side)
        price = try container.decode(ExactDecimal.self, forKey: .price)
        quantity = try container.decode(ExactDecimal.self, forKey: .quantity)
        let currency = try container.decode(String.self, forKey: .feeCurrency)
        fee = Money(try container.decode(ExactDecimal.self, forKey: .fee), currency)
        liquidity = try container.decode(Liquidity.self, forKey: .liquidity)
        realizedPnL = Money(try container.decode(ExactDecimal.self, forKey: .realizedPnL), currency)
        time = try container.decode(Double.self, forKey: .timestamp)
        receipt = try container.decode(FillReceipt.self, forKey: .receipt)
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
