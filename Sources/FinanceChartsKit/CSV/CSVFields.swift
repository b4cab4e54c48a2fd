import MarketModel

/// What lies between the separators of a line.
struct CSVFields {
    let separator: UInt8

    /// - Parameter bytes: the file's first bytes, by which the separator is found.
    init(beginning bytes: some Collection<UInt8>) {
        // The separator that occurs most in the first 4 KiB, outside quotes; a comma where there is none.
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes.prefix(4096) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        separator = candidates.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? UInt8(ascii: ",")
    }

    /// Whether nothing is in the line, or a remark.
    static func isBlankOrComment(_ line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first(where: { $0 != 32 && $0 != 9 }) else { return true }
        return first == UInt8(ascii: "#")
    }

    func fields(of line: ArraySlice<UInt8>) -> [String] {
        var fields: [String] = []
        fields.reserveCapacity(8)
        var start = line.startIndex
        var isQuoted = false
        for index in line.indices {
            if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if line[index] == separator, !isQuoted {
                fields.append(CSVFields.text(line[start..<index]))
                start = index + 1
            }
        }
        fields.append(CSVFields.text(line[start...]))
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

/// What the numbers of a file may be.
extension CSVFields {
    /// `nil` for what is no number; `Double` would also take nan, inf and hexadecimal.
    static func number(_ text: String) -> Double? {
        let isPlain = text.utf8.allSatisfy {
            $0 >= 48 && $0 <= 57 || $0 == 46 || $0 == 45 || $0 == 43 || $0 | 32 == 101
        }
        guard isPlain, let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// What is wrong with a candle: the column at fault, and what is allowed there.
    static func flaw(of candle: Candle) -> (column: CSVColumnRole, message: String)? {
        for (role, price) in [
            (CSVColumnRole.open, candle.open), (.high, candle.high), (.low, candle.low), (.close, candle.close),
        ] where price <= 0 { return (role, "\(role.rawValue) is \(price); prices are above 0") }
        if candle.volume < 0 { return (.volume, "volume is \(candle.volume); it is 0 or more") }
        if candle.high < candle.bodyHigh || candle.high < candle.low {
            return (.high, "high is \(candle.high); it is at least open, low and close")
        }
        if candle.low > candle.bodyLow { return (.low, "low is \(candle.low); it is at most open and close") }
        return nil
    }
}
