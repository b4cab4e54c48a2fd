public import MarketModel

/// `{"timestamp":…,"open":…,"high":…,"low":…,"close":…,"volume":…}`, as `GET /v1/candles` answers.
extension Candle: Codable {
    private enum CodingKeys: String, CodingKey { case timestamp, open, high, low, close, volume }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func value(_ key: CodingKeys) throws -> Double { try values.decode(Double.self, forKey: key) }
        self.init(
            timestamp: try value(.timestamp), open: try value(.open), high: try value(.high), low: try value(.low),
            close: try value(.close), volume: try value(.volume))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(timestamp, forKey: .timestamp)
        try values.encode(open, forKey: .open)
        try values.encode(high, forKey: .high)
        try values.encode(low, forKey: .low)
        try values.encode(close, forKey: .close)
        try values.encode(volume, forKey: .volume)
    }
}

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

/// The raw value: `"1m"`.
extension Timeframe: Codable {}
