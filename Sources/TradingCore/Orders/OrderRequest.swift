/// A request for an order. Nothing is checked here: the exchange answers with the field that is wrong.
///
/// On the wire snake_case, decimals as strings; `time_in_force` is `gtc` and both flags are false where they are
/// left out. A missing `client_order_id` reads as empty, which the exchange refuses by name.
public struct OrderRequest: Hashable, Sendable {
    /// The owner's name for the order, 1 to 64 visible ASCII characters, not beginning with `~`. Repeating the
    /// same name and content gives the same order; with another content it is refused.
    public var clientOrderID: String
    public var symbol: String
    public var side: Side
    public var type: OrderType
    public var timeInForce: TimeInForce
    /// In the base currency, above 0.
    public var quantity: ExactDecimal
    /// In the quote currency; of limit and stop-limit orders.
    public var limitPrice: ExactDecimal?
    /// In the quote currency; of stop and stop-limit orders.
    public var stopPrice: ExactDecimal?
    /// Of trailing stops.
    public var trail: Trail?
    /// Refused where it would trade at once.
    public var postOnly: Bool
    /// Never opens or turns a position.
    public var reduceOnly: Bool
    /// 1 and up to the account's greatest. One number a market: another than the market's sets it for the position and
    /// the waiting orders too. `nil`: that of the market's position and waiting orders, and 1 where there are none.
    /// Reduce-only orders change nothing.
    public var leverage: Int?
    /// With this and ``stopLoss`` the order is a bracket: what of it is filled is closed at the one or the other.
    public var takeProfit: ExactDecimal?
    public var stopLoss: ExactDecimal?
    /// Orders of one group replace each other: what one fills is subtracted from the others. 1 to 64 visible ASCII characters
    /// without a colon.
    public var ocoGroup: String?

    public init(
        clientOrderID: String, symbol: String, side: Side, type: OrderType, timeInForce: TimeInForce = .gtc,
        quantity: ExactDecimal, limitPrice: ExactDecimal? = nil, stopPrice: ExactDecimal? = nil, trail: Trail? = nil,
        postOnly: Bool = false, reduceOnly: Bool = false, leverage: Int? = nil, takeProfit: ExactDecimal? = nil,
        stopLoss: ExactDecimal? = nil, ocoGroup: String? = nil
    ) {
        self.clientOrderID = clientOrderID
        self.symbol = symbol
        self.side = side
        self.type = type
        self.timeInForce = timeInForce
        self.quantity = quantity
        self.limitPrice = limitPrice
        self.stopPrice = stopPrice
        self.trail = trail
        self.postOnly = postOnly
        self.reduceOnly = reduceOnly
        self.leverage = leverage
        self.takeProfit = takeProfit
        self.stopLoss = stopLoss
        self.ocoGroup = ocoGroup
    }
}

extension OrderRequest {
    /// Whether this is the request that made an order, sent again. One that names no leverage is, whatever the market had.
    func repeats(_ accepted: OrderRequest) -> Bool {
        var request = self
        request.leverage = leverage ?? accepted.leverage
        return request == accepted
    }
}

extension OrderRequest: Codable {
    enum CodingKeys: String, CodingKey {
        case clientOrderID = "client_order_id"
        case symbol, side, type, quantity, trail, leverage
        case timeInForce = "time_in_force"
        case limitPrice = "limit_price"
        case stopPrice = "stop_price"
        case postOnly = "post_only"
        case reduceOnly = "reduce_only"
        case takeProfit = "take_profit"
        case stopLoss = "stop_loss"
        case ocoGroup = "oco_group"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        clientOrderID = try container.decodeIfPresent(String.self, forKey: .clientOrderID) ?? ""
        symbol = try container.decode(String.self, forKey: .symbol)
        side = try container.decode(Side.self, forKey: .side)
        type = try container.decode(OrderType.self, forKey: .type)
        timeInForce = try container.decodeIfPresent(TimeInForce.self, forKey: .timeInForce) ?? .gtc
        quantity = try container.decode(ExactDecimal.self, forKey: .quantity)
        limitPrice = try container.decodeIfPresent(ExactDecimal.self, forKey: .limitPrice)
        stopPrice = try container.decodeIfPresent(ExactDecimal.self, forKey: .stopPrice)
        trail = try container.decodeIfPresent(Trail.self, forKey: .trail)
        postOnly = try container.decodeIfPresent(Bool.self, forKey: .postOnly) ?? false
        reduceOnly = try container.decodeIfPresent(Bool.self, forKey: .reduceOnly) ?? false
        leverage = try container.decodeIfPresent(Int.self, forKey: .leverage)
        takeProfit = try container.decodeIfPresent(ExactDecimal.self, forKey: .takeProfit)
        stopLoss = try container.decodeIfPresent(ExactDecimal.self, forKey: .stopLoss)
        ocoGroup = try container.decodeIfPresent(String.self, forKey: .ocoGroup)
    }

    public func encode(to encoder: any Encoder) throws { try encode(to: encoder, omitsDefaults: false) }

    /// - Parameter omitsDefaults: leaves out what a reader assumes, as a request to a server does. An order's document and
    ///   the ledger have every field.
    package func encode(to encoder: any Encoder, omitsDefaults: Bool) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(clientOrderID, forKey: .clientOrderID)
        try container.encode(symbol, forKey: .symbol)
        try container.encode(side, forKey: .side)
        try container.encode(type, forKey: .type)
        try container.encode(quantity, forKey: .quantity)
        try container.encodeIfPresent(trail, forKey: .trail)
        try container.encodeIfPresent(leverage, forKey: .leverage)
        if !omitsDefaults || timeInForce != .gtc { try container.encode(timeInForce, forKey: .timeInForce) }
        try container.encodeIfPresent(limitPrice, forKey: .limitPrice)
        try container.encodeIfPresent(stopPrice, forKey: .stopPrice)
        if !omitsDefaults || postOnly { try container.encode(postOnly, forKey: .postOnly) }
        if !omitsDefaults || reduceOnly { try container.encode(reduceOnly, forKey: .reduceOnly) }
        try container.encodeIfPresent(takeProfit, forKey: .takeProfit)
        try container.encodeIfPresent(stopLoss, forKey: .stopLoss)
        try container.encodeIfPresent(ocoGroup, forKey: .ocoGroup)
    }
}
