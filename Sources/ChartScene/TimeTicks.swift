internal import MarketModel

/// A tick of the time axis: a bar, or a place beyond the bars, that is the first one of a minute, an hour, a day... On an
/// axis in time it is that minute's, hour's or day's beginning, whether there is a bar or not.
package struct TimeTick: Sendable, Equatable {
    /// The largest part of the calendar that changed since the bar before.
    package enum Rank: Sendable, Comparable { case time, day, month, year }

    /// The bar, or the first one after the tick; below 0 and from the number of bars on, a place where one would be.
    package let index: Int
    /// Its time, seconds since 1970 UTC.
    package let timestamp: Double
    /// The date and time that the chart's clock shows then, as if that were UTC.
    package let wall: Double
    package let rank: Rank
    /// Where it is, in the viewport's unit.
    let place: Double
}

/// The time axis' ticks. Which bars have one depends on their times and on the zoom, not on the scroll position, so
/// labels do not jump while the chart is dragged.
struct TimeTicks {
    private(set) var step = TimeStep.seconds(60)
    private(set) var ticks: [TimeTick] = []

    /// - Parameters:
    ///   - visible: the indices on screen, beyond the bars too; a label's width before them is looked at as well.
    ///   - spacing: distance of two bars, in the unit of `distance`.
    ///   - distance: the usual distance of two labels; after a gap in trading, where ticks come closer together,
    ///     two thirds of it, and the tick of higher rank stays.
    ///   - clock: whose days and hours the ticks are.
    /// - Complexity: O(ticks × log bars)
    mutating func update(
        series: CandleSeries, timeframe: Timeframe, visible: Range<Int>, spacing: Double, distance: Double,
        clock: inout ZoneClock
    ) {
        ticks.removeAll(keepingCapacity: true)
        guard !series.isEmpty, !visible.isEmpty, spacing > 0 else { return }
        step = TimeStep.finest(atLeast: distance / spacing * timeframe.seconds, bar: timeframe.seconds)
        let closest = distance / spacing * (2.0 / 3)
        let dated = series.datedIndices(timeframe)
        let end = min(visible.upperBound, dated.upperBound)
        let lookBack = integer(2 * distance / spacing, in: 1...1_000_000)
        var index = max(dated.lowerBound, visible.lowerBound - lookBack)
        while index < end {
            let time = Calendar.time(series.time(at: index, timeframe))
            var previous = time - timeframe.seconds
            if index > dated.lowerBound { previous = Calendar.time(series.time(at: index - 1, timeframe)) }
            if clock.boundary(of: step, after: previous) <= time {
                add(index, time, after: previous, place: Double(index), closest: closest, &clock)
            }
            // At least one bar on, whatever the times are.
            index = max(index + 1, series.index(notBefore: clock.boundary(of: step, after: time), timeframe))
        }
    }

    private mutating func add(
        _ index: Int, _ time: Double, after previous: Double, place: Double, closest: Double, _ clock: inout ZoneClock
    ) {
        let before = clock.wall(previous)
        let wall = clock.wall(time)
        let rank = Calendar.rank(of: wall, after: before)
        while let last = ticks.last, place - last.place < closest {
            guard rank > last.rank else { return }
            ticks.removeLast()
        }
        ticks.append(TimeTick(index: index, timestamp: time, wall: wall, rank: rank, place: place))
    }
}

/// What the axis needs of the calendar.
enum Calendar {
    /// The last second of the year 9999.
    static let latest = 253_402_300_799.0

    /// A timestamp whose date can be computed: cut to the years 1970 to 9999.
    static func time(_ timestamp: Double) -> Double { timestamp > 0 ? min(timestamp, latest) : 0 }

    /// The month's number since the year 0, of a time that is cut like that.
    static func month(_ timestamp: Double) -> Int {
        let date = CivilDate(timestamp: time(timestamp))
        return date.year * 12 + date.month - 1
    }

    /// The largest part of the date in which `time` differs from `previous`, both as the clock shows them.
    static func rank(of time: Double, after previous: Double) -> TimeTick.Rank {
        let a = CivilDate(timestamp: time)
        let b = CivilDate(timestamp: previous)
        if a.year != b.year { return .year }
        if a.month != b.month { return .month }
        return a.day != b.day ? .day : .time
    }
}

extension TimeTicks {
    /// The ticks of an axis in time: each boundary of the step, also where there is no bar.
    /// - Parameters:
    ///   - left: the place at the left edge, in the viewport's unit; `right` the one at the right edge.
    ///   - spacing: pixels of a bar's time, in the unit of `distance`.
    /// - Complexity: O(ticks × log bars)
    mutating func update(
        _ slots: TimeSlots, from left: Double, to right: Double, spacing: Double, distance: Double,
        clock: inout ZoneClock
    ) {
        ticks.removeAll(keepingCapacity: true)
        guard !slots.series.isEmpty, spacing > 0 else { return }
        let seconds = slots.timeframe.seconds
        step = TimeStep.finest(atLeast: distance / spacing * seconds, bar: seconds)
        let closest = distance / spacing * (2.0 / 3)
        let end = Calendar.time((right + 0.5) * seconds)
        var previous = Calendar.time((left - 2 * distance / spacing) * seconds)
        while true {
            let time = clock.boundary(of: step, after: previous)
            guard time > previous, time <= end else { return }
            add(
                slots.series.index(notBefore: time, slots.timeframe), time, after: previous,
                place: slots.slot(ofTime: time), closest: closest, &clock)
            previous = time
        }
    }
}
