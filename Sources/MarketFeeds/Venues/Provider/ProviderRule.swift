import MarketModel

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
package enum ProviderTimeUnit: String, Sendable, CaseIterable {
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"
    case nanoseconds = "ns"
    /// `2021-04-17T16:43:37.121358Z`
    case iso8601

    /// How many of it a second has; 0 where it is not a number.
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

/// What can be read from a provider's message. The raw value is its place in tables.
package enum ProviderField: Int, Sendable, CaseIterable {
    case type, rows, symbol, timestamp, price, volume, open, high, low, close, timeframe, side, id, final, message

    /// The key in the configuration, and the word in counts and errors.
    package var word: String { "\(self)" }
}

/// Where a value stands in a message: `data.p`, or `1.0` where arrays are counted from 0. In a rule with rows the path
/// begins in the row, or, where it begins with `$.`, in the whole message.
struct FieldPath: Sendable, Hashable, CustomStringConvertible {
    static let maxSteps = 8

    var steps: [String]
    /// Written with `$.`.
    var isFromMessage = false

    /// - Returns: `nil` where the text is not a path: empty, with an empty step, or deeper than eight.
    init?(_ text: String) {
        isFromMessage = text.hasPrefix("$.")
        steps = text.dropFirst(isFromMessage ? 2 : 0).split(separator: ".", omittingEmptySubsequences: false)
            .map(String.init)
        guard steps.count <= Self.maxSteps, steps.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    /// Whether it begins at a position of an array.
    var isPositional: Bool { steps.first.flatMap { Int($0) } != nil }
    var description: String { (isFromMessage ? "$." : "") + steps.joined(separator: ".") }
}

/// How a provider's messages are built, as a configuration says it.
struct ProviderShape: Sendable, Equatable {
    /// Where messages stand in what is sent at once; `nil`: it is one, or an array of them.
    var batch: FieldPath?
    /// What distinguishes sorts of messages; `nil`: their fields.
    var type = FieldPath("type")
    var unit = ProviderTimeUnit.seconds
    var rules: [ProviderRule] = [.usual(.tick), .usual(.candle), .usual(.snapshot), .usual(.error)]
    var numbering = Venue.Numbering.none
    /// The length of candles of which the message does not say it.
    var timeframe = Timeframe.m1
    /// What the provider calls timeframes.
    var timeframeNames = ProviderShape.usualNames

    static let usualNames = Dictionary(uniqueKeysWithValues: Timeframe.allCases.map { ($0, $0.rawValue) })
    func rule(_ meaning: ProviderRule.Meaning) -> ProviderRule? { rules.first { $0.meaning == meaning } }
}
