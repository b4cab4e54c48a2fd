/// The header `Retry-After` (RFC 9110, section 10.2.3).
public enum RetryAfter {
    /// Seconds from now on; 0 for a date that has passed, `nil` for anything that is neither a whole number of seconds
    /// nor a date.
    /// - Parameters:
    ///   - date: the answer's own `Date`: what the server's clock said. Used for dates, so that a clock that is wrong
    ///     here does no harm.
    ///   - wallClock: seconds since 1970, where the answer has no `Date`.
    public static func seconds(_ text: String, date: String? = nil, wallClock: Double) -> Double? {
        let text = text.trimmingSpaces
        if !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { return Double(text) }
        guard let until = HTTPDate.timestamp(text) else { return nil }
        let now = date.flatMap { HTTPDate.timestamp($0.trimmingSpaces) } ?? wallClock
        return max(0, until - now)
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var text = self[...]
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
