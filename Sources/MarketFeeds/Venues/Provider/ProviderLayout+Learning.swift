import StreamCore

extension ProviderLayout {
    /// Longer messages, and those of more values, gain little by being read so.
    private static let longest = 4096
    private static let mostValues = 64

    /// Takes a message apart.
    /// - Parameters:
    ///   - message: one that was read by its keys, hence valid JSON.
    ///   - rule: the number of its rule.
    ///   - type: where the type's value begins, or the space before it; -1 where types are told by keys.
    ///   - fields: where the values begin that a trade is made of, or the space before them.
    /// - Returns: `nil` where a layout would not help: the message is too long, or a value has escapes or two meanings.
    init?(of message: UnsafeRawBufferPointer, rule: Int, type: Int, fields: [(start: Int, field: ProviderTick.Field)]) {
        let type = type < 0 ? type : Self.value(type, in: message)
        let fields = fields.map { (start: Self.value($0.start, in: message), field: $0.field) }
        guard message.count <= Self.longest, Set(fields.map(\.start)).union([type]).count == fields.count + 1 else {
            return nil
        }
        // All of them must be met, or a value would be read as one that nobody asks for.
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
            steps.append(
                Step(textLength: UInt16(inside.lowerBound - textStart), form: form, field: field))
            textStart = inside.upperBound
        }
        guard missing == 0, steps.count <= Self.mostValues else { return nil }
        texts += message[textStart...]
        self.init(steps: steps, texts: texts, rule: rule)
    }

    /// Where the value begins that stands here or behind the space here.
    private static func value(_ start: Int, in message: UnsafeRawBufferPointer) -> Int {
        message[start...].firstIndex { $0 > 0x20 } ?? message.count
    }

    /// A value, or a key or another part of what is between values.
    private struct Piece {
        var start: Int
        var end: Int
        /// `nil`: it belongs to the texts.
        var form: Form?

        /// - Returns: `nil` where it has escapes: no value is found behind such by comparison.
        init?(at start: Int, in message: UnsafeRawBufferPointer) {
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
