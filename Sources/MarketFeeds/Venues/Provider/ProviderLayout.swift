import StreamCore

/// How a provider's message of one trade was laid out: this text, then a value, then that text. From one message of a
/// sort to the next all but the values is usually the same, byte by byte; so a message that was read by its keys once
/// says where the values of the next ones are, and those are read by comparison, as a venue's trades are. Any other
/// message is read by its keys. A layout can only save time, never change a result: the type is a part of the texts,
/// and the same keys in the same places lead to the same values.
struct ProviderLayout: Sendable {
    /// What stands between two texts.
    enum Form: UInt8, Sendable {
        /// Its quotes belong to the texts.
        case string
        case number, bool
    }

    struct Step: Sendable {
        /// Bytes of the text before the value.
        var textLength: UInt16
        var form: Form
        var field: ProviderTick.Field
    }

    let steps: [Step]
    /// All texts one after another, the last one behind all values.
    let texts: [UInt8]
    /// The number of the rule that the message was read by.
    let rule: Int

    /// - Returns: `false` where the message is laid out differently, or has a value that is none; `tick` has some of the
    ///   values then.
    static func read(
        _ bytes: Bytes, _ steps: UnsafeBufferPointer<Step>, _ texts: Bytes,
        _ rule: Int, by mapping: ProviderMapping, into tick: inout ProviderTick
    ) -> Bool {
        guard bytes.count >= texts.count, var reader = LayoutReader(bytes) else { return false }
        var at = 0
        for step in steps {
            let length = Int(step.textLength)
            guard reader.match(UnsafeRawBufferPointer(rebasing: texts[at..<at &+ length])),
                apply(step, rule, &reader, bytes, mapping, into: &tick)
            else { return false }
            at &+= length
        }
        return reader.match(UnsafeRawBufferPointer(rebasing: texts[at...])) && reader.isAtEnd
    }

    @inline(__always)
    private static func apply(
        _ step: Step, _ rule: Int, _ reader: inout LayoutReader, _ bytes: Bytes,
        _ mapping: ProviderMapping, into tick: inout ProviderTick
    ) -> Bool {
        switch step.field {
        case .price, .volume:
            guard step.form != .bool, let value = reader.decimal() else { return false }
            if step.field == .price { tick.price = value } else { tick.volume = value }
            return true
        case .time where mapping.isInSeconds:
            guard step.form != .bool, let value = reader.decimal() else { return false }
            tick.time = value.value
            return true
        case .other, .symbol, .time, .side, .id: break
        }
        let value: VenueText?
        switch step.form {
        case .string: value = reader.stringInside()
        case .number: value = reader.number()
        case .bool: value = reader.boolText()
        }
        guard let value else { return false }
        switch step.field {
        case .other, .price, .volume: break
        case .symbol: tick.symbol = value
        case .time:
            guard let time = mapping.unit.seconds(value.read(in: bytes).raw) else { return false }
            tick.time = time
        case .side: tick.side = mapping.rules[rule].side(value.read(in: bytes))
        case .id:
            tick.name = value
            tick.id = ProviderReader.number(of: value.read(in: bytes).raw)
        }
        return true
    }
}

extension ProviderLayout {
    /// Longer messages, and those of more values, gain little by being read so.
    private static let maxLength = 4096
    private static let maxValues = 64

    /// Finds the layout of a message.
    /// - Parameters:
    ///   - message: one that was read by its keys, hence valid JSON.
    ///   - rule: the number of its rule.
    ///   - type: where the type's value begins, or the space before it; -1 where types are recognised by keys.
    ///   - fields: where the values begin that a trade is made of, or the space before them.
    /// - Returns: `nil` where a layout would not help: the message is too long, or a value has escapes or two meanings.
    init?(of message: Bytes, rule: Int, type: Int, fields: [(start: Int, field: ProviderTick.Field)]) {
        let type = type < 0 ? type : Self.value(type, in: message)
        let fields = fields.map { (start: Self.value($0.start, in: message), field: $0.field) }
        guard message.count <= Self.maxLength, Set(fields.map(\.start)).union([type]).count == fields.count + 1 else {
            return nil
        }
        // All of them must be met, or a value would be read as one that is not requested.
        var missing = fields.count + (type < 0 ? 0 : 1)
        var steps: [Step] = []
        var texts: [UInt8] = []
        var (textStart, at) = (0, 0)
        while at < message.count {
            guard let piece = Piece(at: at, in: message) else { return nil }
            at = piece.end
            if piece.start == type { missing -= 1 }
            guard let form = piece.form, piece.start != type else { continue }
            let isString = form == .string
            let inside = isString ? piece.start + 1..<piece.end - 1 : piece.start..<piece.end
            let field = fields.first { $0.start == piece.start }?.field ?? .other
            if field != .other { missing -= 1 }
            texts += message[textStart..<inside.lowerBound]
            steps.append(Step(textLength: UInt16(inside.lowerBound - textStart), form: form, field: field))
            textStart = inside.upperBound
        }
        guard missing == 0, steps.count <= Self.maxValues else { return nil }
        texts += message[textStart...]
        self.init(steps: steps, texts: texts, rule: rule)
    }

    /// Where the value begins that stands here or behind the space here.
    private static func value(_ start: Int, in message: Bytes) -> Int {
        message[start...].firstIndex { $0 > 0x20 } ?? message.count
    }

    /// A value, or a key or another part of what is between values.
    private struct Piece {
        var start: Int
        var end: Int
        /// `nil`: it belongs to the texts.
        var form: Form?

        /// - Returns: `nil` where it has escapes: no value is found behind such by comparison.
        init?(at start: Int, in message: Bytes) {
            self.start = start
            end = start + 1
            switch message[start] {
            case UInt8(ascii: "\""):
                while end < message.count, message[end] != UInt8(ascii: "\"") {
                    if message[end] == UInt8(ascii: "\\") { return nil }
                    end += 1
                }
                guard end < message.count else { return nil }
                end += 1
                let next = message[end...].first { $0 > 0x20 }
                form = next == UInt8(ascii: ":") ? nil : .string
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                while end < message.count, Self.isNumber(message[end]) { end += 1 }
                form = .number
            case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
                while end < message.count, message[end] &- UInt8(ascii: "a") < 26 { end += 1 }
                form = message[start] == UInt8(ascii: "n") ? nil : .bool
            default: break
            }
        }

        private static func isNumber(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
    }
}

/// The layouts that a provider's trades were found to have, tried one after another. There is more than one where a key
/// is left out now and then, or several types hold trades. A provider whose keys come in another order each time must
/// not have every message analysed: once there are four, only each 64th message that fits none replaces one of them.
struct ProviderLayouts: Sendable {
    private static let capacity = 4
    private static let replacementInterval = 64

    private var known: [ProviderLayout] = []
    /// Where one of them is in the steps and texts of all: to read from an array of its own would be to count references.
    private struct Place {
        var steps: Range<Int>
        var texts: Range<Int>
        var rule: Int
    }

    private var places: [Place] = []
    private var steps: [ProviderLayout.Step] = []
    private var texts: [UInt8] = []
    private var oldest = 0
    private var misses = 0

    /// - Parameter tick: an empty one; not to be used where the message has none of the layouts.
    /// - Returns: whether it has one.
    func read(_ bytes: Bytes, by mapping: ProviderMapping, into tick: inout ProviderTick) -> Bool {
        steps.withUnsafeBufferPointer { steps in
            texts.withUnsafeBytes { texts in
                for index in places.indices {
                    let place = places[index]
                    if ProviderLayout.read(
                        bytes, UnsafeBufferPointer(rebasing: steps[place.steps]),
                        UnsafeRawBufferPointer(rebasing: texts[place.texts]), place.rule, by: mapping, into: &tick)
                    {
                        return true
                    }
                    // Another layout may have fewer values.
                    tick = ProviderTick()
                }
                return false
            }
        }
    }

    /// Learns the layout of a message that had none of the known ones.
    /// - Parameter layout: made only if it is wanted.
    mutating func learn(_ layout: () -> ProviderLayout?) {
        if known.count < Self.capacity {
            if let layout = layout() {
                known.append(layout)
                rehash()
            }
            return
        }
        misses = (misses + 1) % Self.replacementInterval
        guard misses == 0, let layout = layout() else { return }
        known[oldest] = layout
        oldest = (oldest + 1) % Self.capacity
        rehash()
    }

    private mutating func rehash() {
        (places, steps, texts) = ([], [], [])
        for layout in known {
            let (firstStep, firstText) = (steps.count, texts.count)
            steps += layout.steps
            texts += layout.texts
            places.append(Place(steps: firstStep..<steps.count, texts: firstText..<texts.count, rule: layout.rule))
        }
    }
}
