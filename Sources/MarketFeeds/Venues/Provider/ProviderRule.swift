/// What one sort of a provider's messages means, and where its values stand: a part of a configuration, as it is written.
struct ProviderRule: Sendable, Equatable {
    enum Meaning: String, Sendable, CaseIterable {
        case tick, candle, snapshot, accepted, error, heartbeat
    }

    var meaning: Meaning
    /// What the discriminating field says.
    var types: [String]
    /// Where the rows are; `nil`: the message is the only one.
    var rows: FieldPath?
    /// Where the values are, of those that there are.
    var fields: [ProviderField: FieldPath]
    /// What is written for a purchase and for a sale; empty: the usual words.
    var buy: [String] = []
    var sell: [String] = []

    /// As the integration guide has it.
    static func usual(_ meaning: Meaning) -> ProviderRule {
        var rule = ProviderRule(meaning: meaning, types: [meaning.rawValue], rows: nil, fields: [:])
        switch meaning {
        case .tick: rule.name(.symbol, .timestamp, .price, .volume, .side)
        case .candle: rule.name(.symbol, .timestamp, .open, .high, .low, .close, .volume, .timeframe, .final)
        case .snapshot:
            rule.name(.timestamp, .open, .high, .low, .close, .volume)
            rule.rows = FieldPath("candles")
            rule.fields[.symbol] = FieldPath("$.symbol")
            rule.fields[.timeframe] = FieldPath("$.timeframe")
        case .accepted:
            rule.types = ["subscribed"]
            rule.name(.symbol)
        case .error: rule.name(.symbol, .message)
        case .heartbeat: rule.types = ["pong"]
        }
        return rule
    }

    private mutating func name(_ own: ProviderField...) {
        for field in own { fields[field] = FieldPath(field.word) }
    }

    /// Those without which a message is of no use.
    static func required(_ meaning: Meaning) -> [ProviderField] {
        switch meaning {
        case .tick: [.symbol, .timestamp, .price]
        case .candle, .snapshot: [.symbol, .timestamp, .open, .high, .low, .close]
        case .accepted, .error, .heartbeat: []
        }
    }

    /// Those that a configuration may leave out with `null`.
    static func optional(_ meaning: Meaning) -> [ProviderField] {
        switch meaning {
        case .tick: [.volume, .side, .id]
        case .candle, .snapshot: [.volume, .timeframe, .final]
        case .accepted: [.symbol]
        case .error: [.symbol, .message]
        case .heartbeat: []
        }
    }
}

/// How a provider writes times.
public enum ProviderTimeUnit: String, Sendable, CaseIterable {
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"
    case nanoseconds = "ns"
    /// `2021-04-17T16:43:37.121358Z`
    case iso8601

    /// How many of it a second has; 0 where it is no number.
    var perSecond: UInt64 {
        switch self {
        case .seconds: 1
        case .milliseconds: 1000
        case .microseconds: 1_000_000
        case .nanoseconds: 1_000_000_000
        case .iso8601: 0
        }
    }
}
