import MarketModel

/// The header `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// Seconds from now on; 0 for a date that has passed, `nil` for anything that is neither a whole number of seconds
    /// nor a date.
    /// - Parameters:
    ///   - date: the answer's own `Date`, the server's clock: for dates, so that a wrong clock here does no harm.
    ///   - wallClock: seconds since 1970, where the answer has no `Date`; `nil` leaves dates of such answers unread.
    package static func seconds(_ text: String, date: String? = nil, wallClock: Double? = nil) -> Double? {
        let text = trimmed(text)
        if !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { return Double(text) }
        guard let until = timestamp(text) else { return nil }
        let now = date.flatMap { timestamp(trimmed($0)) } ?? wallClock
        return now.map { max(0, until - $0) }
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }

    /// A date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7). The two obsolete forms are
    /// not read; they are not sent any more.
    /// - Returns: seconds since 1970, nil for anything else.
    private static func timestamp(_ text: String) -> Double? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT",
            let day = number(parts[1], in: 1...31), let month = months.firstIndex(of: parts[2]),
            let year = number(parts[3], in: 1...9999)
        else { return nil }
        let clock = parts[4].split(separator: ":")
        guard clock.count == 3, let hour = number(clock[0], in: 0...23), let minute = number(clock[1], in: 0...59),
            let second = number(clock[2], in: 0...60)
        else { return nil }
        let date = CivilDate(year: year, month: month + 1, day: day)
        return Double(date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second)
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ digits: Substring, in range: ClosedRange<Int>) -> Int? {
        guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let value = Int(digits), range.contains(value)
        else { return nil }
        return value
    }
}
