import MarketModel

/// Moves the times in a recording's messages by whole seconds, so that it plays now. All else stays as it is, byte for
/// byte. A number or string counts as a time of the recording where it reads as one (see `TimeTokens`) and lies within
/// a day of the recording. It is written again in the form it had: the same digits a second, the same fraction.
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
            let moved = token.nanoseconds / 1_000_000_000 + seconds
            let start = token.range.lowerBound
            if token.isCivil {
                let text = Array(RFC3339.text(Double(moved)).utf8)
                for index in 0..<19 where index != 10 { result[start + index] = text[index] }
            } else {
                // The digits of the seconds come first, whatever follows them.
                var rest = UInt64(max(0, moved))
                for index in (0..<10).reversed() {
                    result[start + index] = 0x30 + UInt8(rest % 10)
                    rest /= 10
                }
            }
        }
        return result
    }
}

/// How venues write times.
enum VenueTime {
    /// RFC 3339 with 1 to 9 digits of a second.
    static func rfc3339(_ nanoseconds: Int64, digits: Int = 6) -> String {
        RFC3339.text(nanoseconds: nanoseconds, fractionDigits: digits)
    }

    /// Nanoseconds since 1970 of a time as venues write it; `nil` where it reads as none.
    static func nanoseconds(_ text: String) -> Int64? {
        var found: Int64?
        TimeTokens.forEach(in: Array("\"\(text)\"".utf8)) { found = $0.nanoseconds + $0.fraction }
        return found
    }

    /// `Thu, 08 Aug 2024 00:10:05 GMT` (RFC 9110, section 5.6.7).
    static func header(_ seconds: Double) -> String {
        let whole = Int64(min(max(seconds, 0), 4e9))
        let civil = RFC3339.text(Double(whole)).dropLast()
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = civil.split { $0 == "-" || $0 == "T" }
        let month = months[(Int(parts[1]) ?? 1) - 1]
        return "\(names[Int(whole / 86_400 % 7)]), \(parts[2]) \(month) \(parts[0]) \(parts[3]) GMT"
    }
}
