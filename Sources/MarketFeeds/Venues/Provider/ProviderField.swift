/// What can be read from a provider's message. The raw value is its place in tables.
public enum ProviderField: Int, Sendable, CaseIterable {
    case type, rows, symbol, timestamp, price, volume, open, high, low, close, timeframe, side, id, final, message

    /// The key in the configuration, and the word in counts and errors.
    var name: StaticString {
        switch self {
        case .type: "type"
        case .rows: "rows"
        case .symbol: "symbol"
        case .timestamp: "timestamp"
        case .price: "price"
        case .volume: "volume"
        case .open: "open"
        case .high: "high"
        case .low: "low"
        case .close: "close"
        case .timeframe: "timeframe"
        case .side: "side"
        case .id: "id"
        case .final: "final"
        case .message: "message"
        }
    }

    /// As a text.
    public var word: String { name.description }
}
