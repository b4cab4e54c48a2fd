/// Writes a document as JSON: numbers as short as reads back the same, two spaces a level, the same bytes everywhere.
struct DocumentWriter {
    private(set) var utf8: [UInt8] = []
    private var depth = 0
    private var isFirst = true

    mutating func object(_ body: (inout DocumentWriter) -> Void) {
        nested(0x7B, 0x7D, body)
    }

    mutating func array(_ body: (inout DocumentWriter) -> Void) {
        nested(0x5B, 0x5D, body)
    }

    /// The name of the next value of an object.
    mutating func key(_ name: StaticString) {
        item()
        utf8.append(0x22)
        name.withUTF8Buffer { utf8.append(contentsOf: $0) }
        utf8.append(0x22)
        utf8.append(0x3A)
        utf8.append(0x20)
    }

    /// Begins the next value of an array.
    mutating func item() {
        if !isFirst { utf8.append(0x2C) }
        isFirst = false
        newLine()
    }

    /// - Parameter value: finite.
    mutating func number(_ value: Double) {
        // What is whole is written so; `description` adds a point and a zero.
        if value.magnitude < 1e15, value == value.rounded() {
            if value < 0 { utf8.append(0x2D) }
            var text = TextBuffer()
            text.append(integer: UInt64(value.magnitude))
            utf8.append(contentsOf: text.bytes)
        } else {
            utf8.append(contentsOf: value.description.utf8)
        }
    }

    mutating func bool(_ value: Bool) {
        let word: StaticString = value ? "true" : "false"
        word.withUTF8Buffer { utf8.append(contentsOf: $0) }
    }

    mutating func string(_ text: StaticString) {
        text.withUTF8Buffer { string(Array($0)) }
    }

    /// - Parameter text: UTF-8.
    mutating func string(_ text: [UInt8]) {
        utf8.append(0x22)
        for byte in text {
            switch byte {
            case 0x22, 0x5C:
                utf8.append(0x5C)
                utf8.append(byte)
            case 0..<0x20:
                for unit in [0x5C, 0x75, 0x30, 0x30] as [UInt8] { utf8.append(unit) }
                utf8.append(DocumentWriter.digit(byte >> 4))
                utf8.append(DocumentWriter.digit(byte & 15))
            default: utf8.append(byte)
            }
        }
        utf8.append(0x22)
    }

    /// `#RRGGBB`, and the alpha behind it where it is not opaque.
    mutating func colour(_ colour: Colour) {
        var text: [UInt8] = [0x23]
        let isOpaque = colour.rgba & 0xFF == 0xFF
        for shift in stride(from: UInt32(28), through: isOpaque ? 8 : 0, by: -4) {
            text.append(DocumentWriter.digit(UInt8(colour.rgba >> shift & 15)))
        }
        string(text)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x41 + value - 10
    }

    private mutating func nested(_ open: UInt8, _ close: UInt8, _ body: (inout DocumentWriter) -> Void) {
        utf8.append(open)
        depth += 1
        isFirst = true
        body(&self)
        depth -= 1
        if !isFirst { newLine() }
        isFirst = false
        utf8.append(close)
    }

    private mutating func newLine() {
        utf8.append(0x0A)
        for _ in 0..<depth * 2 { utf8.append(0x20) }
    }
}
