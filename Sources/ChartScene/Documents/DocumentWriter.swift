/// Writes a document as JSON: numbers as short as reads back the same, two spaces a level, the same bytes everywhere.
struct DocumentWriter {
    private var text = TextBuffer()
    private var depth = 0
    private var isFirst = true

    var utf8: [UInt8] { text.bytes }
    mutating func object(_ body: (inout DocumentWriter) -> Void) { nested("{", "}", body) }
    mutating func array(_ body: (inout DocumentWriter) -> Void) { nested("[", "]", body) }

    /// The name of the next value of an object.
    mutating func key(_ name: StaticString) {
        item()
        string(name)
        text.append(": ")
    }

    /// Begins the next value of an array.
    mutating func item() {
        if !isFirst { text.append(",") }
        isFirst = false
        newLine()
    }

    /// - Parameter value: finite.
    mutating func number(_ value: Double) {
        // What is whole is written so; `description` adds a point and a zero.
        if value.magnitude < 1e15, value == value.rounded() {
            if value < 0 { text.append("-") }
            text.append(integer: UInt64(value.magnitude))
        } else {
            for byte in value.description.utf8 { text.append(byte: byte) }
        }
    }

    mutating func bool(_ value: Bool) { text.append(value ? "true" : "false") }
    mutating func string(_ content: StaticString) { content.withUTF8Buffer { string(Array($0)) } }

    /// - Parameter content: UTF-8.
    mutating func string(_ content: [UInt8]) {
        text.append("\"")
        for byte in content {
            switch byte {
            case 0..<0x20:
                text.append("\\u00")
                text.append(hexadecimal: UInt32(byte), digits: 2)
            default:
                if byte == 0x22 || byte == 0x5C { text.append("\\") }
                text.append(byte: byte)
            }
        }
        text.append("\"")
    }

    /// `#RRGGBB`, and the alpha behind it where it is not opaque.
    mutating func colour(_ colour: Colour) {
        let isOpaque = colour.rgba & 0xFF == 0xFF
        text.append("\"#")
        text.append(hexadecimal: isOpaque ? colour.rgba >> 8 : colour.rgba, digits: isOpaque ? 6 : 8)
        text.append("\"")
    }

    private mutating func nested(_ open: StaticString, _ close: StaticString, _ body: (inout DocumentWriter) -> Void) {
        text.append(open)
        depth += 1
        isFirst = true
        body(&self)
        depth -= 1
        if !isFirst { newLine() }
        isFirst = false
        text.append(close)
    }

    private mutating func newLine() {
        text.append("\n")
        for _ in 0..<depth { text.append("  ") }
    }
}
