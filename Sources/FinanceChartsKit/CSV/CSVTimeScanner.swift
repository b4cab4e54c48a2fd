import MarketModel

/// A date and time in ASCII, read from the left.
struct CSVTimeScanner {
    private var rest: Substring.UTF8View

    init(_ text: Substring.UTF8View) { rest = text }
    var isAtEnd: Bool { rest.isEmpty }

    /// `YYYY-MM-DD`, `YYYY/MM/DD` or `YYYYMMDD`; on `nil` nothing was read. Eight digits are a date where month and day
    /// fit: read as Unix seconds they would lie in 1970.
    mutating func date() -> CivilDate? {
        let start = rest
        if let year = digits(4), let separator = consume([45, 47]), let month = digits(2, atLeast: 1),
            consume([separator]) != nil, let day = digits(2, atLeast: 1),
            let date = CSVTimeScanner.date(year, month, day)
        {
            return date
        }
        rest = start
        if let year = digits(4), let month = digits(2), let day = digits(2), year >= 1900, year < 2200,
            rest.first.map({ $0 < 46 || $0 > 57 }) ?? true, let date = CSVTimeScanner.date(year, month, day)
        {
            return date
        }
        rest = start
        return nil
    }

    /// Seconds since midnight, and how far east of UTC they count where that is said; 0 at the end of the text.
    /// `[ T]HH:MM[:SS[.f]][Z|±HH:MM]`, or `HH-AM` and `HH-PM` as CryptoDataDownload writes hours.
    mutating func timeOfDay() -> (seconds: Double, offset: Int?)? {
        if isAtEnd { return (0, nil) }
        guard consume([32, 84, 116]) != nil, var hour = digits(2, atLeast: 1) else { return nil }
        if consume([45]) != nil {
            guard let half = consume([65, 80]), consume([77]) != nil, (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half == 80 ? 12 : 0)
            return (Double(hour) * 3600, nil)
        }
        guard consume([58]) != nil, let minute = digits(2), hour < 24, minute < 60 else { return nil }
        var seconds = 0.0
        if consume([58]) != nil {
            // A leap second, :60, is the next minute's start.
            guard let whole = digits(2), whole <= 60, let fraction = fraction() else { return nil }
            seconds = Double(whole) + fraction
        }
        let isLocal = isAtEnd
        guard let offset = offset() else { return nil }
        return (Double(hour * 3600 + minute * 60) + seconds, isLocal ? nil : offset)
    }

    mutating func fraction() -> Double? {
        guard consume([46]) != nil else { return 0 }
        var value = 0.0
        var scale = 1.0
        var count = 0
        while let digit = rest.first, digit >= 48, digit <= 57 {
            rest.removeFirst()
            count += 1
            // Beyond nanoseconds a double has no room in today's timestamps.
            guard count <= 9 else { continue }
            value = value * 10 + Double(digit - 48)
            scale *= 10
        }
        return count > 0 ? value / scale : nil
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int? {
        if isAtEnd || consume([90, 122]) != nil { return 0 }
        guard let sign = consume([43, 45]), let hours = digits(2) else { return nil }
        _ = consume([58])
        guard let minutes = digits(2), hours < 24, minutes < 60 else { return nil }
        return (sign == 45 ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    static func date(_ year: Int, _ month: Int, _ day: Int) -> CivilDate? {
        guard (1...12).contains(month), day >= 1 else { return nil }
        let first = CivilDate(year: year, month: month, day: 1)
        guard day <= first.firstOfNextMonth.daysSince1970 - first.daysSince1970 else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    mutating func digits(_ count: Int, atLeast: Int? = nil) -> Int? {
        var value = 0
        var digitCount = 0
        var ahead = rest
        while digitCount < count, let digit = ahead.first, digit >= 48, digit <= 57 {
            value = value * 10 + Int(digit - 48)
            ahead.removeFirst()
            digitCount += 1
        }
        guard digitCount >= (atLeast ?? count) else { return nil }
        rest = ahead
        return value
    }

    /// The next byte, where it is one of `allowed`.
    mutating func consume(_ allowed: [UInt8]) -> UInt8? {
        guard let first = rest.first, allowed.contains(first) else { return nil }
        rest.removeFirst()
        return first
    }
}
