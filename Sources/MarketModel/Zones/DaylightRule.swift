/// One rule of `DaylightTable`: in each of these years, on this day, clocks go to so much ahead of standard time.
struct DaylightRule {
    /// Which clock shows the time of day at which the change happens.
    enum Clock { case wall, standard, utc }

    let firstYear: Int
    /// `Int.max` for a rule that has no end.
    let lastYear: Int
    let month: Int
    /// Counted from Sunday, 0; `nil` for a day of the month.
    let weekday: Int?
    /// The weekday is the first on or after this day of the month, maybe in the next one; for 0 it is the month's last.
    let day: Int
    /// Seconds.
    let timeOfDay: Double
    let clock: Clock
    /// How many seconds clocks are ahead of standard time from then on; negative in Irish winters.
    let ahead: Double

    /// When the change happens, by the clock of `clock`, as if that showed UTC.
    func local(in year: Int) -> Double {
        let first = CivilDate(year: year, month: month, day: 1)
        var date = day > 0 ? first.daysSince1970 + day - 1 : first.firstOfNextMonth.daysSince1970 - 7
        if let weekday {
            // Day 0 was a Thursday.
            let there = ((date + 4) % 7 + 7) % 7
            date += (weekday - there + 7) % 7
        }
        return Double(date) * 86_400 + timeOfDay
    }
}

/// Reads the text of `DaylightTable`.
struct DaylightReader {
    let text: UnsafeBufferPointer<UInt8>
    private var at = 0

    init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// Goes behind the name of a line; false where no line has it.
    mutating func find(_ name: StaticString) -> Bool {
        while !skip(name) || !skip(":") {
            repeat { at += 1 } while at < text.count && text[at - 1] != UInt8(ascii: "\n")
            if at >= text.count { return false }
        }
        return true
    }

    mutating func rule() -> DaylightRule {
        let firstYear = number() ?? 0
        let lastYear = skip("-") ? number() ?? .max : firstYear
        let month = (Self.months.firstIndex { skip($0) } ?? 0) + 1
        let isLast = skip("last")
        let weekday = Self.weekdays.firstIndex { skip($0) }
        let day = isLast || !skip(">=") && weekday != nil ? 0 : number() ?? 0
        let hour = number() ?? 0
        let minute = skip(":") ? number() ?? 0 : 0
        let clock: DaylightRule.Clock = skip("u") ? .utc : skip("s") ? .standard : .wall
        let sign = skip("-") ? -3600.0 : 3600
        return DaylightRule(
            firstYear: firstYear, lastYear: lastYear, month: month, weekday: weekday, day: day,
            timeOfDay: Double(hour * 60 + minute) * 60, clock: clock, ahead: sign * Double(number() ?? 0))
    }

    /// Goes past a word that comes next, and past spaces before it.
    mutating func skip(_ word: StaticString) -> Bool {
        skipSpaces()
        let rest = text[at...]
        guard word.withUTF8Buffer({ rest.starts(with: $0) }) else { return false }
        at += word.utf8CodeUnitCount
        return true
    }

    private mutating func number() -> Int? {
        skipSpaces()
        let start = at
        var value = 0
        while at < text.count, text[at] &- 0x30 < 10 {
            value = value * 10 + Int(text[at] - 0x30)
            at += 1
        }
        return at > start ? value : nil
    }

    private mutating func skipSpaces() {
        while at < text.count, text[at] == 0x20 { at += 1 }
    }

    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let weekdays: [StaticString] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
}

/// Seconds of hours and minutes written as `hh_mm`, either sign.
func secondsOf(_ time: Int16) -> Double {
    Double(time / 100) * 3600 + Double(time % 100) * 60
}
