import MarketModel
import StreamCore

/// Reads messages by a configured mapping: one walk over a message notes where values are, then those are read that its
/// type requests. Trades that are laid out as earlier ones were are read by comparison (`ProviderLayout`). Nothing is
/// allocated for a message, but where a layout is new.
struct ProviderReader: Sendable {
    let mapping: ProviderMapping
    /// The markets that are wanted; `nil`: all.
    var wanted: SymbolTable?
    var counts = ProviderCounts()
    /// The type of the last message, where it is the first of an unknown type.
    private(set) var newType: String?
    /// What the last message said about requests, where that is requested.
    private(set) var answers: [FeedAnswer] = []
    private let collectsAnswers: Bool
    /// Where the values of the message and of the row begin; by node, -1 where there is none.
    private(set) var found: [Int]
    private(set) var foundInRow: [Int]
    private var foundAround: [Int]
    private var unknown = SymbolTable()
    private(set) var layouts = ProviderLayouts()
    /// The rule of the message, where that is all and has one row.
    private var lastTick: Int?

    /// Unknown types that are reported by name: with more of them, the field does not hold types.
    private static let namedTypes = 32
    /// Bytes of a type that is reported by name.
    private static let maxTypeLength = 64

    init(_ mapping: ProviderMapping, collectsAnswers: Bool = false) {
        self.mapping = mapping
        self.collectsAnswers = collectsAnswers
        found = Array(repeating: -1, count: mapping.message.count)
        foundInRow = Array(repeating: -1, count: mapping.rules.map(\.row.count).max() ?? 1)
        foundAround = Array(repeating: -1, count: mapping.envelope?.tree.count ?? 0)
    }

    /// Reads what was sent at once: a message, an array of them, or an envelope around them. All of it is read, or nothing.
    mutating func parse(_ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) -> VenueMessageKind {
        if newType != nil { newType = nil }
        if !answers.isEmpty { answers.removeAll() }
        var tick = ProviderTick()
        if readByLayout(bytes, into: &tick) {
            accept(tick, bytes, into: &batch)
            return .trades
        }
        lastTick = nil
        let kind = try parseAnyLayout(bytes, into: &batch)
        if let rule = lastTick, batch.trades.count == 1 { learn(bytes, rule) }
        return kind
    }

    /// Not inlined: where the reader may change, the compiler counts references to what it reads from.
    @inline(never)
    private func readByLayout(_ bytes: Bytes, into tick: inout ProviderTick) -> Bool {
        layouts.read(bytes, by: mapping, into: &tick)
    }

    private mutating func parseAnyLayout(
        _ bytes: Bytes, into batch: inout VenueBatch
    ) throws(ParseError) -> VenueMessageKind {
        var start = 0
        if let envelope = mapping.envelope {
            var scanner = JSONScanner(bytes)
            try envelope.tree.find(in: &scanner, base: 0, into: &foundAround)
            try end(&scanner)
            // Answers may come without the envelope.
            start = max(0, foundAround[envelope.node])
        }
        var scanner = bytes.scanner(from: start)
        guard try isList(&scanner) else {
            try mapping.message.find(in: &scanner, base: start, into: &found)
            if mapping.envelope == nil { try end(&scanner) }
            return try message(bytes, start, into: &batch)
        }
        var kind = VenueMessageKind.other
        var messages = 0
        while try hasNext(&scanner) {
            let at = start &+ scanner.offset
            try mapping.message.find(in: &scanner, base: start, into: &found)
            let one = try message(bytes, at, into: &batch)
            if one.weight > kind.weight { kind = one }
            messages &+= 1
        }
        if messages > 1 { lastTick = nil }
        if mapping.envelope == nil { try end(&scanner) }
        return kind
    }

    /// Learns the layout of a message with one trade and nothing else: its places are in `found` and `foundInRow` still.
    private mutating func learn(_ bytes: Bytes, _ rule: Int) {
        let fields = Self.fields.map { (start(of: $0, rule), $1) }.filter { $0.0 >= 0 }
        let type = mapping.type.map { found[$0] } ?? -1
        layouts.learn { ProviderLayout(of: bytes, rule: rule, type: type, fields: fields) }
    }

    private static let fields: [(ProviderField, ProviderTick.Field)] = [
        (.symbol, .symbol), (.timestamp, .time), (.price, .price), (.volume, .volume), (.side, .side), (.id, .id),
    ]

    private func start(of field: ProviderField, _ rule: Int) -> Int {
        switch mapping.rules[rule].place(field) {
        case .nowhere: -1
        case .message(let node): found[node]
        case .row(let node): foundInRow[node]
        }
    }

    private func isList(_ scanner: inout JSONScanner) throws(ParseError) -> Bool {
        do throws(JSONError) {
            guard try scanner.kind() == .array, !mapping.isPositional else { return false }
            try scanner.beginArray()
            return true
        } catch { throw .json(error) }
    }

    private func hasNext(_ scanner: inout JSONScanner) throws(ParseError) -> Bool {
        do throws(JSONError) { return try scanner.nextElement() } catch { throw .json(error) }
    }

    private func end(_ scanner: inout JSONScanner) throws(ParseError) {
        do throws(JSONError) { try scanner.end() } catch { throw .json(error) }
    }

    /// Reads the message whose places are in `found`.
    /// - Parameter start: where it begins.
    private mutating func message(
        _ bytes: Bytes, _ start: Int, into batch: inout VenueBatch
    ) throws(ParseError) -> VenueMessageKind {
        guard let index = try rule(bytes) else { return .other }
        let rule = mapping.rules[index]
        switch rule.meaning {
        case .tick, .candle, .snapshot:
            var rows = 0
            try eachRow(of: rule, bytes) { reader throws(ParseError) in
                rows &+= 1
                if rule.meaning == .tick {
                    try reader.trade(rule, bytes, into: &batch)
                } else {
                    try reader.candle(rule, bytes, into: &batch)
                }
            }
            guard rule.meaning == .tick else { return .candles }
            lastTick = rows == 1 ? index : nil
            return .trades
        case .accepted:
            batch.hasAnswer = true
            if collectsAnswers {
                answers.append(optional(rule, .symbol, bytes).map { .subscribed([$0.string]) } ?? .grantedOldest)
            }
            return .acknowledgement
        case .error:
            batch.hasAnswer = true
            guard collectsAnswers else { return .refusal }
            let symbol = optional(rule, .symbol, bytes)?.string
            answers.append(
                .refusal(optional(rule, .message, bytes)?.string, symbols: symbol.map { [$0] } ?? []))
            return .refusal
        case .heartbeat: return .heartbeat
        }
    }

    /// The rule of a message by its type, or, where there are no types, the first one whose values are all there.
    private mutating func rule(_ bytes: Bytes) throws(ParseError) -> Int? {
        guard let type = mapping.type else {
            for index in mapping.rules.indices where fits(mapping.rules[index]) { return index }
            return nil
        }
        guard found[type] >= 0, let text = bytes.scalar(at: found[type]) else {
            counts.missing.add(.type)
            throw .missingField(ProviderField.type.word)
        }
        for index in mapping.rules.indices {
            for one in mapping.rules[index].types.indices where text.equals(mapping.rules[index].types[one]) {
                return index
            }
        }
        counts.unknownTypes += 1
        // A name as long as a message is of no use to a reader.
        if unknown.count < Self.namedTypes, text.raw.count <= Self.maxTypeLength, unknown.find(text) == nil {
            let name = text.string
            unknown.insert(name)
            newType = name
        }
        return nil
    }

    private func fits(_ rule: ProviderMapping.Rule) -> Bool {
        if let rows = rule.rows { return found[rows] >= 0 }
        var fields = 0
        for field in ProviderRule.required(rule.meaning) {
            guard case .message(let node) = rule.place(field), found[node] >= 0 else { return false }
            fields += 1
        }
        if fields > 0 { return true }
        // Answers are recognised by their message.
        if case .message(let node) = rule.place(.message) { return found[node] >= 0 }
        return false
    }

    /// Calls `body` for each row of the message.
    private mutating func eachRow(
        of rule: ProviderMapping.Rule, _ bytes: Bytes,
        _ body: (inout Self) throws(ParseError) -> Void
    ) throws(ParseError) {
        guard let rows = rule.rows else { return try body(&self) }
        guard found[rows] >= 0 else {
            counts.missing.add(.rows)
            throw .missingField(ProviderField.rows.word)
        }
        var scanner = bytes.scanner(from: found[rows])
        let base = found[rows]
        guard try isListOfRows(bytes, at: base) else {
            try rule.row.find(in: &scanner, base: base, into: &foundInRow)
            return try body(&self)
        }
        do throws(JSONError) { try scanner.beginArray() } catch { throw .json(error) }
        while try hasNext(&scanner) {
            try rule.row.find(in: &scanner, base: base, into: &foundInRow)
            try body(&self)
        }
    }

    /// An array whose first element is not a row is a row itself.
    private func isListOfRows(_ bytes: Bytes, at start: Int) throws(ParseError) -> Bool {
        var scanner = bytes.scanner(from: start)
        do throws(JSONError) {
            guard try scanner.kind() == .array else { return false }
            try scanner.beginArray()
            guard try scanner.nextElement() else { return true }
            let first = try scanner.kind()
            return first == .object || first == .array
        } catch { throw .json(error) }
    }
}

extension VenueMessageKind {
    /// Which of a batch's kinds stands for all of it: those that must be acted on.
    fileprivate var weight: Int {
        switch self {
        case .trades: 6
        case .candles: 5
        case .refusal: 4
        case .acknowledgement: 3
        case .heartbeat: 2
        case .quotes, .book, .status: 1
        case .other, .malformed: 0
        }
    }
}

extension Bytes {
    /// The first byte; of an empty buffer no address that anything is read from.
    var start: UnsafeRawPointer { baseAddress ?? UnsafeRawPointer(bitPattern: 1)! }

    /// Reads from here on; offsets are counted from here, too.
    func scanner(from start: Int) -> JSONScanner {
        JSONScanner(UnsafeRawBufferPointer(rebasing: self[Swift.min(start, count)...]))
    }
}
