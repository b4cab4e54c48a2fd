/// The lines of a text with comma, semicolon or tab between its fields (RFC 4180 with those three separators).
///
/// Blank lines and those that start with `#` are left out but counted. A quoted field may hold separators and doubled
/// quotes; a line break inside quotes is not supported: no export of candles has one.
struct CSVLines {
    struct Line {
        /// 1 for the first line of the file.
        let number: Int
        let fields: [String]
    }

    let separator: UInt8
    private let bytes: [UInt8]
    private var position: Int
    private var number = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        position = bytes.starts(with: mark) ? mark.count : 0
        separator = CSVLines.separator(bytes)
    }

    /// The separator that occurs most in the first 4 KiB, outside quotes; a comma where there is none.
    private static func separator(_ bytes: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes.prefix(4096) {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"):
                if !isQuoted { counts[byte, default: 0] += 1 }
            default: break
            }
        }
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        return candidates.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? UInt8(ascii: ",")
    }

    mutating func next() -> Line? {
        while position < bytes.count {
            let end = bytes[position...].firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count
            let range = position..<end
            number += 1
            position = end + 1
            // CR LF is one line break.
            if end + 1 < bytes.count, bytes[end] == 13, bytes[end + 1] == 10 { position += 1 }
            let line = bytes[range]
            guard let first = line.first(where: { $0 != 32 && $0 != 9 }), first != UInt8(ascii: "#") else { continue }
            return Line(number: number, fields: fields(of: line))
        }
        return nil
    }

    private func fields(of line: ArraySlice<UInt8>) -> [String] {
        var fields: [String] = []
        fields.reserveCapacity(8)
        var start = line.startIndex
        var isQuoted = false
        for index in line.indices {
            if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if line[index] == separator, !isQuoted {
                fields.append(CSVLines.text(line[start..<index]))
                start = index + 1
            }
        }
        fields.append(CSVLines.text(line[start...]))
        return fields
    }

    /// A field without the blanks and quotes around it.
    private static func text(_ field: ArraySlice<UInt8>) -> String {
        var field = trimmed(field)
        if field.count >= 2, field.first == UInt8(ascii: "\""), field.last == UInt8(ascii: "\"") {
            field = trimmed(field.dropFirst().dropLast())
            if field.contains(UInt8(ascii: "\"")) {
                return String(decoding: field, as: UTF8.self).split(separator: "\"\"", omittingEmptySubsequences: false)
                    .joined(separator: "\"")
            }
        }
        return String(decoding: field, as: UTF8.self)
    }

    private static func trimmed(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
        guard let first = field.firstIndex(where: { !isBlank($0) }),
            let last = field.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return field[first...last]
    }
}
