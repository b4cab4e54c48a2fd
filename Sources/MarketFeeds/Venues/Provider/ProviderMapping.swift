import MarketModel
import StreamCore

/// A provider's shape made ready for reading: bytes to compare, and trees of places to look at.
struct ProviderMapping: Sendable {
    /// Where a value is: among what is found in the message, or in the row.
    enum Place: Sendable, Equatable {
        case nowhere
        case message(Int)
        case row(Int)
    }

    struct Rule: Sendable, Equatable {
        var meaning: ProviderRule.Meaning
        var types: [[UInt8]]
        /// The node of the message's tree that has the rows; `nil`: the message is the row.
        var rows: Int?
        var row = PathTree()
        /// By the field's raw value.
        var places: [Place]
        var buy: [[UInt8]]
        var sell: [[UInt8]]

        func place(_ field: ProviderField) -> Place { places[field.rawValue] }

        func side(_ text: JSONText) -> VenueTrade.Side {
            if buy.isEmpty, sell.isEmpty { return VenueTrade.Side(text) }
            for at in buy.indices where text.equals(buy[at]) { return .buy }
            for at in sell.indices where text.equals(sell[at]) { return .sell }
            return .unknown
        }
    }

    /// What is looked for in each message, for whichever rule.
    private(set) var message = PathTree()
    /// Its node of the discriminating field; `nil`: there is none.
    private(set) var type: Int?
    private(set) var rules: [Rule] = []
    /// The way to the messages, and the node at its end.
    let envelope: (tree: PathTree, node: Int)?
    /// A message that is an array is one message, not a list of them.
    let isPositional: Bool
    let unit: ProviderTimeUnit
    /// Times are seconds: what is read as a decimal needs no more.
    let isInSeconds: Bool
    let numbering: Venue.Numbering
    let timeframe: Timeframe
    let timeframes: [(name: [UInt8], timeframe: Timeframe)]

    init(_ shape: ProviderShape) {
        unit = shape.unit
        isInSeconds = shape.unit == .seconds
        numbering = shape.numbering
        timeframe = shape.timeframe
        timeframes = shape.timeframeNames.sorted { $0.key.index < $1.key.index }
            .map { (Array($0.value.utf8), $0.key) }
        isPositional = shape.type?.isPositional ?? false
        envelope = shape.batch.map(Self.way)
        type = shape.type.map { message.insert($0) }
        for rule in shape.rules { add(rule) }
    }

    private static func way(_ path: FieldPath) -> (tree: PathTree, node: Int) {
        var tree = PathTree()
        let node = tree.insert(path)
        return (tree, node)
    }

    private mutating func add(_ rule: ProviderRule) {
        var compiled = Rule(
            meaning: rule.meaning, types: rule.types.map { Array($0.utf8) }, rows: nil,
            places: ProviderField.allCases.map { _ in .nowhere }, buy: rule.buy.map { Array($0.utf8) },
            sell: rule.sell.map { Array($0.utf8) })
        compiled.rows = rule.rows.map { message.insert($0) }
        for (field, path) in rule.fields {
            compiled.places[field.rawValue] =
                rule.rows == nil || path.isFromMessage
                ? .message(message.insert(path)) : .row(compiled.row.insert(path))
        }
        rules.append(compiled)
    }
}
