/// A country's rules for daylight saving time; `none` has standard time the whole year.
enum DaylightRules: UInt8 {
    case none
    case unitedStates, toronto, canada, vancouver, halifax, mexico
    case brazil, argentina, chile, colombia, peru
    case britain, europe, ireland, portugal, france, spain, italy, finland, poland, austria, hungary, greece, romania
    case centralEurope, easternEurope, turkey, russia
    case israel, egypt, pakistan, hongKong, china, taiwan, korea, philippines
    case newSouthWales, westernAustralia, queensland, newZealand
}

/// The last year of a rule that has no end.
let forever: Int16 = 9999

/// One row of `DaylightTable`: in each of these years, on this day, clocks go to so much ahead of standard time.
struct DaylightRule {
    enum Month: UInt8 {
        case jan = 1
        case feb, mar, apr, may, jun, jul, aug, sep, oct, nov, dec
    }

    enum Weekday: UInt8 {
        case sun, mon, tue, wed, thu, fri, sat
    }

    /// Which clock shows the time of day at which the change happens.
    enum Clock: UInt8 {
        case wall, standard, utc
    }

    enum Day {
        case on(UInt8)
        case last(Weekday)
        /// The first such weekday on or after a day of the month; it may lie in the next month.
        case first(Weekday, from: UInt8)
    }

    let rules: DaylightRules
    let clock: Clock
    let month: Month
    let day: Day
    let firstYear: Int16
    let lastYear: Int16
    /// Hours and minutes as `hh_mm`, up to 24_00.
    let timeOfDay: Int16
    /// How far clocks are ahead of standard time from then on, as `hh_mm`; negative in Irish winters.
    let ahead: Int16

    @inline(__always)
    init(
        _ rules: DaylightRules, _ firstYear: Int16, through lastYear: Int16, _ month: Month, _ day: Day, at time: Int16,
        _ clock: Clock = .wall, ahead: Int16
    ) {
        self.rules = rules
        self.firstYear = firstYear
        self.lastYear = lastYear
        self.month = month
        self.day = day
        self.timeOfDay = time
        self.clock = clock
        self.ahead = ahead
    }

    @inline(__always)
    init(
        _ rules: DaylightRules, _ year: Int16, _ month: Month, _ day: Day, at time: Int16, _ clock: Clock = .wall,
        ahead: Int16
    ) {
        self.init(rules, year, through: year, month, day, at: time, clock, ahead: ahead)
    }

    /// When the change happens, by the clock of `clock`, as if that showed UTC.
    func local(in year: Int) -> Double {
        let first = CivilDate(year: year, month: Int(month.rawValue), day: 1)
        let date: Int
        switch day {
        case .on(let day):
            date = first.daysSince1970 + Int(day) - 1
        case .last(let weekday):
            let end = first.firstOfNextMonth.daysSince1970 - 7
            date = DaylightRule.next(weekday, from: end)
        case .first(let weekday, let day):
            date = DaylightRule.next(weekday, from: first.daysSince1970 + Int(day) - 1)
        }
        return Double(date) * 86_400 + secondsOf(timeOfDay)
    }

    /// The first such weekday from a day on.
    private static func next(_ weekday: Weekday, from day: Int) -> Int {
        // Day 0 was a Thursday.
        let there = ((day + 4) % 7 + 7) % 7
        return day + (Int(weekday.rawValue) - there + 7) % 7
    }
}

/// Seconds of hours and minutes written as `hh_mm`, either sign.
func secondsOf(_ time: Int16) -> Double {
    Double(time / 100) * 3600 + Double(time % 100) * 60
}
