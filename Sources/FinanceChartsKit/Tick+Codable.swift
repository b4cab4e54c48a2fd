public import MarketModel

/// `{"timestamp":…,"price":…,"volume":…}`, as in the stream protocol.
extension Tick: Codable {
    private enum CodingKeys: String, CodingKey { case timestamp, price, volume }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            timestamp: try values.decode(Double.self, forKey: .timestamp),
            price: try values.decode(Double.self, forKey: .price),
            volume: try values.decode(Double.self, forKey: .volume))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(timestamp, forKey: .timestamp)
        try values.encode(price, forKey: .price)
        try values.encode(volume, forKey: .volume)
    }
}
