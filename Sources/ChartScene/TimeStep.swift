internal import MarketModel

/// The distance of two ticks on the time axis. Boundaries are those of the calendar; the times that they are computed for
/// and answer are those of the clock on the wall (`ZoneClock` makes moments of them).
package enum TimeStep: Sendable, Equatable {
    /// A whole number of seconds that divides a day.
    case seconds(Double)
    case days(Int)
    /// Weeks start on Monday.
    case weeks(Int)
    /// Of the calendar; 12 is a year.
    case months(Int)

    /// The steps that read well, finest first.
    static let all: [TimeStep] = [
        .seconds(1), .seconds(2), .seconds(5), .seconds(10), .seconds(15), .seconds(30),
        .seconds(60), .seconds(120), .seconds(300), .seconds(600), .seconds(900), .seconds(1800),
        .seconds(3600), .seconds(7200), .seconds(10_800), .seconds(14_400), .seconds(21_600), .seconds(43_200),
        .days(1), .days(2), .weeks(1), .weeks(2), .months(1), .months(2), .months(3), .months(6),
        .months(12), .months(24), .months(60), .months(120), .months(240), .months(600), .months(1200),
    ]

    /// The finest step whose ticks are at least `least` seconds apart, and not finer than a bar.
    static func finest(atLeast least: Double, bar: Double) -> TimeStep {
        for step in all where step.nominalSeconds >= least && step.nominalSeconds >= bar { return step }
        return .months(1200)
    }

    /// The usual length in seconds; months count 30 days.
    var nominalSeconds: Double {
        switch self {
        case .seconds(let seconds): seconds
        case .days(let days): Double(days) * 86_400
        case .weeks(let weeks): Double(weeks) * 604_800
        case .months(let months): Double(months) * 2_592_000
        }
    }

    /// The rank that most of this step's ticks have; a higher one stands out.
    var ordinaryRank: TimeTick.Rank {
        switch self {
        case .seconds: .time
        case .days, .weeks: .day
        case .months(let months): months < 12 ? .month : .year
        }
    }

    /// The first boundary after `timestamp`. Day and week steps also stop at the first of a month, which is where an
    /// axis shows the month.
    func boundary(after timestamp: Double) -> Double {
        switch self {
        case .seconds(let seconds): return ((timestamp / seconds).rounded(.down) + 1) * seconds
        case .days(let days):
            return min(TimeStep.multiple(after: timestamp, of: Double(days) * 86_400, from: 0), nextMonth(timestamp, 1))
        case .weeks(let weeks):
            // 1970-01-05 was a Monday.
            let monday = 4 * 86_400.0
            let next = TimeStep.multiple(after: timestamp, of: Double(weeks) * 604_800, from: monday)
            return min(next, nextMonth(timestamp, 1))
        case .months(let months): return nextMonth(timestamp, months)
        }
    }

    private static func multiple(after timestamp: Double, of length: Double, from origin: Double) -> Double {
        (((timestamp - origin) / length).rounded(.down) + 1) * length + origin
    }

    /// The start of the next month whose number since year 0 is a multiple of `months`.
    private func nextMonth(_ timestamp: Double, _ months: Int) -> Double {
        let date = CivilDate(timestamp: timestamp)
        let number = (date.year * 12 + date.month - 1) / months * months + months
        return Double(CivilDate(year: number / 12, month: number % 12 + 1, day: 1).daysSince1970) * 86_400
    }
}
