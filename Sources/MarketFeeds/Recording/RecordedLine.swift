import StreamCore

enum RecordedLine {
    case asItCame
    /// Without the space between its tokens, which held line ends.
    case minified([UInt8])
    /// Empty, or with line ends that cannot be removed because it is not JSON.
    case impossible

    init(_ message: Bytes) {
        if message.isEmpty {
            self = .impossible
        } else if !message.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            self = .asItCame
        } else {
            self = Self.isJSON(message) ? .minified(Self.withoutSpace(message)) : .impossible
        }
    }

    private static func withoutSpace(_ message: Bytes) -> [UInt8] {
        // In valid JSON a line end stands between tokens: inside a string it is escaped.
        var line: [UInt8] = []
        line.reserveCapacity(message.count)
        var isString = false
        var isEscaped = false
        for byte in message {
            if isString {
                isString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "\"") {
                isString = true
            } else if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
                continue
            }
            line.append(byte)
        }
        return line
    }

    private static func isJSON(_ message: Bytes) -> Bool {
        var scanner = JSONScanner(message)
        do throws(JSONError) {
            try scanner.skipValue()
            try scanner.end()
            return true
        } catch { return false }
    }
}
