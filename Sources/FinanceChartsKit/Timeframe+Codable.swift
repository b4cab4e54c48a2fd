public import MarketModel

/// The raw value: `"1m"`.
extension Timeframe: Codable {}
