extension ExactDecimal: Codable {
    /// A JSON string, as we write it, or a number, as people type it. A number goes through a double: beyond 15 digits
    /// only a string is exact.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let value: ExactDecimal?
        if let text = try? container.decode(String.self) {
            value = ExactDecimal(text)
        } else if let whole = try? container.decode(Int.self) {
            value = ExactDecimal(whole)
        } else {
            value = ExactDecimal(try container.decode(Double.self))
        }
        guard let value else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Expected a decimal number of at most 16 decimals within ±10^22.")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
