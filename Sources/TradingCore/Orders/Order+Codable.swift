extension Order: Codable {
    enum CodingKeys: String, CodingKey {
        case id, account, mode, symbol, currency, side, type, status, quantity, trail, leverage, parent, reason, version
        case clientOrderID = "client_order_id"
        case timeInForce = "time_in_force"
        case filledQuantity = "filled_quantity"
        case averageFillPrice = "average_fill_price"
        case limitPrice = "limit_price"
        case stopPrice = "stop_price"
        case postOnly = "post_only"
        case reduceOnly = "reduce_only"
        case takeProfit = "take_profit"
        case stopLoss = "stop_loss"
        case ocoGroup = "oco_group"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case isTriggered = "triggered"
        case referencePrice = "reference_price"
        case filledCost = "filled_cost"
    }

    /// Throws for an order of another mode, whose id says so.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(OrderID<Mode>.self, forKey: .id)
        clientOrderID = try container.decode(String.self, forKey: .clientOrderID)
        symbol = try container.decode(String.self, forKey: .symbol)
        currency = try container.decodeIfPresent(String.self, forKey: .currency) ?? ""
        side = try container.decode(Side.self, forKey: .side)
        type = try container.decode(OrderType.self, forKey: .type)
        timeInForce = try container.decode(TimeInForce.self, forKey: .timeInForce)
        status = try container.decode(OrderStatus.self, forKey: .status)
        quantity = try container.decode(ExactDecimal.self, forKey: .quantity)
        filledQuantity = try container.decode(ExactDecimal.self, forKey: .filledQuantity)
        averageFillPrice = try container.decodeIfPresent(ExactDecimal.self, forKey: .averageFillPrice)
        limitPrice = try container.decodeIfPresent(ExactDecimal.self, forKey: .limitPrice)
        stopPrice = try container.decodeIfPresent(ExactDecimal.self, forKey: .stopPrice)
        trail = try container.decodeIfPresent(Trail.self, forKey: .trail)
        leverage = try container.decode(Int.self, forKey: .leverage)
        postOnly = try container.decode(Bool.self, forKey: .postOnly)
        reduceOnly = try container.decode(Bool.self, forKey: .reduceOnly)
        takeProfit = try container.decodeIfPresent(ExactDecimal.self, forKey: .takeProfit)
        stopLoss = try container.decodeIfPresent(ExactDecimal.self, forKey: .stopLoss)
        parent = try container.decodeIfPresent(OrderID<Mode>.self, forKey: .parent)
        ocoGroup = try container.decodeIfPresent(String.self, forKey: .ocoGroup)
        reason = try container.decodeIfPresent(String.self, forKey: .reason)
        createdAt = try container.decode(Double.self, forKey: .createdAt)
        updatedAt = try container.decode(Double.self, forKey: .updatedAt)
        version = try container.decode(Int.self, forKey: .version)
        isTriggered = try container.decodeIfPresent(Bool.self, forKey: .isTriggered) ?? false
        referencePrice = try container.decodeIfPresent(ExactDecimal.self, forKey: .referencePrice) ?? .zero
        filledCost = try container.decodeIfPresent(ExactDecimal.self, forKey: .filledCost) ?? .zero
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(id.account, forKey: .account)
        try container.encode(Mode.name, forKey: .mode)
        try container.encode(clientOrderID, forKey: .clientOrderID)
        try container.encode(symbol, forKey: .symbol)
        try container.encode(currency, forKey: .currency)
        try container.encode(side, forKey: .side)
        try container.encode(type, forKey: .type)
        try container.encode(timeInForce, forKey: .timeInForce)
        try container.encode(status, forKey: .status)
        try container.encode(quantity, forKey: .quantity)
        try container.encode(filledQuantity, forKey: .filledQuantity)
        try container.encodeIfPresent(averageFillPrice, forKey: .averageFillPrice)
        try container.encodeIfPresent(limitPrice, forKey: .limitPrice)
        try container.encodeIfPresent(stopPrice, forKey: .stopPrice)
        try container.encodeIfPresent(trail, forKey: .trail)
        try container.encode(leverage, forKey: .leverage)
        try container.encode(postOnly, forKey: .postOnly)
        try container.encode(reduceOnly, forKey: .reduceOnly)
        try container.encodeIfPresent(takeProfit, forKey: .takeProfit)
        try container.encodeIfPresent(stopLoss, forKey: .stopLoss)
        try container.encodeIfPresent(parent, forKey: .parent)
        try container.encodeIfPresent(ocoGroup, forKey: .ocoGroup)
        try container.encodeIfPresent(reason, forKey: .reason)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
        try container.encode(version, forKey: .version)
        try container.encode(isTriggered, forKey: .isTriggered)
        try container.encode(referencePrice, forKey: .referencePrice)
        try container.encode(filledCost, forKey: .filledCost)
    }
}
