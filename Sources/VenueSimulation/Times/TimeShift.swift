import MarketModel

/// Moves the times in a recording's messages by whole seconds, so that it plays now. All else stays as it is, byte for
/// byte.
///
/// A number or string counts as a time of the recording where it reads as one (see `TimeTokens`) and lies within a day of
/// the recording. It is written again in the form it had: the same digits a second, the same fraction.
struct TimeShift: Sendable, Equatable {
    /// What counts as a time of the recording, nanoseconds since 1970.
    var window: ClosedRange<Int64>

    private static let day: Int64 = 86_400_000_000_000

    init(around times: [Int64]) {
        let first = times.first ?? 0
        let last = times.last ?? 0
        window = first - Self.day...max(first, last) + Self.day
    }

    /// - Parameter seconds: how far, forwards or back. 0 gives the same bytes.
    func moved(_ bytes: [UInt8], bySeconds seconds: Int64) -> [UInt8] {
        guard seconds != 0 else { return bytes }
        var result = bytes
        TimeTokens.forEach(in: bytes) { token in
            guard window.contains(token.nanoseconds) else { return }
            switch token.form {
            case .number(let subsecondDigits): Self.move(&result, token, seconds, subsecondDigits)
            case .civil: Self.moveCivil(&result, token, seconds)
            }
        }
        return result
    }

    /// The digits of the seconds come first, whatever follows them.
    private static func move(_ bytes: inout [UInt8], _ token: TimeToken, _ seconds: Int64, _ subsecondDigits: Int) {
        var rest = UInt64(max(0, token.nanoseconds / 1_000_000_000 + seconds))
        for index in (0..<10).reversed() {
            bytes[token.range.lowerBound + index] = 0x30 + UInt8(rest % 10)
            rest /= 10
        }
    }

    private static func moveCivil(_ bytes: inout [UInt8], _ token: TimeToken, _ seconds: Int64) {
        let moved = token.nanoseconds / 1_000_000_000 + seconds
        let text = Array(RFC3339.text(Double(moved)).utf8)
        let start = token.range.lowerBound
        for index in 0..<19 where index != 10 { bytes[start + index] = text[index] }
    }
}

/// How venues write times.
enum VenueTime {
    /// RFC 3339 with so many digits of a second, 1 to 9.
    static func rfc3339(_ nanoseconds: Int64, digits: Int = 6) -> String {
        RFC3339.text(nanoseconds: nanoseconds, fractionDigits: digits)
    }

    /// Nanoseconds since 1970 of a time as venues write it; `nil` where it reads as none.
    static func nanoseconds(_ text: String) -> Int64? {
        var found: Int64?
        TimeTokens.forEach(in: Array("\"\(text)\"".utf8)) { found = $0.nanoseconds + $0.fraction }
        return found
    }
}
