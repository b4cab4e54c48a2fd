/// On the wire the members of the order's request stand beside its own, written and read by ``OrderRequest``.
extension Order: Codable {
    enum CodingKeys: String, CodingKey {
        case id, account, mode, currency, status, parent, reason, version
        case filledQuantity = "filled_quantity"
        case averageFillPrice = "average_fill_price"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case isTriggered = "triggered"
        case referencePrice = "reference_price"
        case filledCost = "filled_cost"
    }

    /// Throws for an order of another mode, whose id says so.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let named = try decoder.container(keyedBy: OrderRequest.CodingKeys.self)
        // What a request may leave out an order has.
        for key in [OrderRequest.CodingKeys.clientOrderID, .timeInForce, .leverage, .postOnly, .reduceOnly]
        where try named.decodeNil(forKey: key) {
            throw DecodingError.dataCorruptedError(forKey: key, in: named, debugDescription: "Expected a value.")
        }
        var fields = OrderFields<Mode>(
            id: try container.decode(OrderID<Mode>.self, forKey: .id), request: try OrderRequest(from: decoder),
            currency: try container.decodeIfPresent(String.self, forKey: .currency) ?? "",
            status: try container.decode(OrderStatus.self, forKey: .status),
            referencePrice: try container.decodeIfPresent(ExactDecimal.self, forKey: .referencePrice) ?? .zero,
            time: try container.decode(Double.self, forKey: .createdAt),
            parent: try container.decodeIfPresent(OrderID<Mode>.self, forKey: .parent),
            reason: try container.decodeIfPresent(String.self, forKey: .reason))
        fields.filledQuantity = try container.decode(ExactDecimal.self, forKey: .filledQuantity)
        fields.averageFillPrice = try container.decodeIfPresent(ExactDecimal.self, forKey: .averageFillPrice)
        fields.updatedAt = try container.decode(Double.self, forKey: .updatedAt)
        fields.version = try container.decode(Int.self, forKey: .version)
        fields.isTriggered = try container.decodeIfPresent(Bool.self, forKey: .isTriggered) ?? false
        fields.filledCost = try container.decodeIfPresent(ExactDecimal.self, forKey: .filledCost) ?? .zero
        self.init(fields)
    }

    public func encode(to encoder: any Encoder) throws {
        try OrderRequest(self).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(id.account, forKey: .account)
        try container.encode(Mode.name, forKey: .mode)
        try container.encode(currency, forKey: .currency)
        try container.encode(status, forKey: .status)
        try container.encode(filledQuantity, forKey: .filledQuantity)
        try container.encodeIfPresent(averageFillPrice, forKey: .averageFillPrice)
        try container.encodeIfPresent(parent, forKey: .parent)
        try container.encodeIfPresent(reason, forKey: .reason)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
        try container.encode(version, forKey: .version)
        try container.encode(isTriggered, forKey: .isTriggered)
        try container.encode(referencePrice, forKey: .referencePrice)
        try container.encode(filledCost, forKey: .filledCost)
    }
}
