/// What an account holds in a market, valued at the market's last trade.
public struct Position<Mode: TradingMode>: Hashable, Sendable, Identifiable {
    public var id: PositionID<Mode>
    public var symbol: String
    public var side: PositionSide
    /// In the base currency, above 0.
    public var size: ExactDecimal
    /// What the position cost by its size, to 16 decimals. Only fills that open more of it change it.
    public var entryPrice: ExactDecimal
    /// The last trade's price, before the market's first trade the last fill's.
    public var markPrice: ExactDecimal
    /// `(mark - entry) * size` for long, the negative for short, computed from what the position cost.
    public var unrealizedPnL: ExactDecimal
    /// The profit in percent of what the position cost: what the price alone did. To 8 decimals.
    public var pricePercent: ExactDecimal
    /// The profit in percent of the margin at entry, which is ``pricePercent`` times the leverage. To 8 decimals.
    public var marginPercent: ExactDecimal
    public var leverage: Int
    /// What it cost by the leverage.
    public var margin: ExactDecimal
    /// The mark price at which the account's equity in this currency would be down to the maintenance margin, all other
    /// marks staying as they are; `nil` where no price above 0 does that.
    public var liquidationPrice: ExactDecimal?
    /// The profit of what was closed since it was opened, without fees.
    public var realizedPnL: ExactDecimal
    /// The nearest waiting orders that close it with a profit or a loss.
    public var takeProfit: ExactDecimal?
    public var stopLoss: ExactDecimal?
    /// The quote currency, in which all amounts are.
    public var currency: String
    /// Seconds since 1970 UTC, as ``updatedAt``, which is the last fill's.
    public var createdAt: Double
    public var updatedAt: Double

    public init(
        id: PositionID<Mode>, side: PositionSide, size: ExactDecimal, entryPrice: ExactDecimal,
        markPrice: ExactDecimal, unrealizedPnL: ExactDecimal, pricePercent: ExactDecimal, marginPercent: ExactDecimal,
        leverage: Int, margin: ExactDecimal, liquidationPrice: ExactDecimal?, realizedPnL: ExactDecimal,
        takeProfit: ExactDecimal?, stopLoss: ExactDecimal?, currency: String, createdAt: Double, updatedAt: Double
    ) {
        self.id = id
        symbol = id.symbol
        self.side = side
        self.size = size
        self.entryPrice = entryPrice
        self.markPrice = markPrice
        self.unrealizedPnL = unrealizedPnL
        self.pricePercent = pricePercent
        self.marginPercent = marginPercent
        self.leverage = leverage
        self.margin = margin
        self.liquidationPrice = liquidationPrice
        self.realizedPnL = realizedPnL
        self.takeProfit = takeProfit
        self.stopLoss = stopLoss
        self.currency = currency
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// Reading a position of another mode throws: its id says so.
extension Position: Codable {
    enum CodingKeys: String, CodingKey {
        case id, symbol, side, size, leverage, margin, currency
        case entryPrice = "entry_price"
        case markPrice = "mark_price"
        case unrealizedPnL = "unrealized_pnl"
        case marginPercent = "unrealized_pnl_percent"
        case pricePercent = "price_percent"
        case liquidationPrice = "liquidation_price"
        case realizedPnL = "realized_pnl"
        case takeProfit = "take_profit"
        case stopLoss = "stop_loss"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    /// Written beside the members, for clients that do not read ids.
    private enum OwnerKeys: String, CodingKey { case account, mode }

    public func encode(to encoder: any Encoder) throws {
        var owner = encoder.container(keyedBy: OwnerKeys.self)
        try owner.encode(id.account, forKey: .account)
        try owner.encode(Mode.name, forKey: .mode)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(symbol, forKey: .symbol)
        try container.encode(side, forKey: .side)
        try container.encode(size, forKey: .size)
        try container.encode(entryPrice, forKey: .entryPrice)
        try container.encode(markPrice, forKey: .markPrice)
        try container.encode(unrealizedPnL, forKey: .unrealizedPnL)
        try container.encode(marginPercent, forKey: .marginPercent)
        try container.encode(pricePercent, forKey: .pricePercent)
        try container.encode(leverage, forKey: .leverage)
        try container.encode(margin, forKey: .margin)
        try container.encodeIfPresent(liquidationPrice, forKey: .liquidationPrice)
        try container.encode(realizedPnL, forKey: .realizedPnL)
        try container.encodeIfPresent(takeProfit, forKey: .takeProfit)
        try container.encodeIfPresent(stopLoss, forKey: .stopLoss)
        try container.encode(currency, forKey: .currency)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
    }
}
