import StreamCore

/// One message as a line of a recording.
enum RecordedLine {
    case asItCame
    /// Without the space between its tokens, which held line ends.
    case minified([UInt8])
    /// Empty, or with line ends that cannot be removed because it is no JSON.
    case impossible

    init(_ message: UnsafeRawBufferPointer) {
        guard !message.isEmpty else {
            self = .impossible
            return
        }
        guard message.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
            self = .asItCame
            return
        }
        guard Self.isJSON(message) else {
            self = .impossible
            return
        }
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
        self = .minified(line)
    }

    private static func isJSON(_ message: UnsafeRawBufferPointer) -> Bool {
        var scanner = JSONScanner(message)
        do throws(JSONError) {
            try scanner.skipValue()
            try scanner.end()
            return true
        } catch {
            return false
        }
    }
}
