internal import MarketModel

/// A tick of the time axis: a bar that is the first one of a minute, an hour, a day...
public struct TimeTick: Sendable, Equatable {
    /// The largest part of the calendar that changed since the bar before.
    public enum Rank: Int, Sendable, Comparable {
        case time, day, month, year

        public static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
    }

    /// The bar.
    public let index: Int
    public let rank: Rank
}

/// The time axis' ticks. Which bars have one depends on their times and on the zoom, not on the scroll position, so
/// labels do not jump while the chart is dragged.
struct TimeTicks {
    private(set) var step = TimeStep.seconds(60)
    private(set) var ticks: [TimeTick] = []

    /// - Parameters:
    ///   - visible: the bars on screen; a label's width before them is looked at too.
    ///   - spacing: distance of two bars, in the unit of `distance`.
    ///   - distance: the usual distance of two labels; after a gap in trading, where ticks come closer together,
    ///     two thirds of it, and the tick of higher rank stays.
    /// - Complexity: O(ticks × log bars)
    mutating func update(
        series: CandleSeries, timeframe: Timeframe, visible: Range<Int>, spacing: Double, distance: Double
    ) {
        ticks.removeAll(keepingCapacity: true)
        guard !visible.isEmpty, spacing > 0 else { return }
        step = TimeStep.finest(atLeast: distance / spacing * timeframe.seconds, bar: timeframe.seconds)
        let closest = distance / spacing * (2.0 / 3)
        var index = max(0, visible.lowerBound - integer(2 * distance / spacing, in: 1...1_000_000))
        while index < visible.upperBound {
            let time = Calendar.time(series.timestamp(at: index))
            let previous = index > 0 ? Calendar.time(series.timestamp(at: index - 1)) : time - timeframe.seconds
            if step.boundary(after: previous) <= time {
                add(TimeTick(index: index, rank: Calendar.rank(of: time, after: previous)), closest: closest)
            }
            // At least one bar on, whatever the times are.
            index = max(index + 1, series.firstIndex(notBefore: step.boundary(after: time)))
        }
    }

    private mutating func add(_ tick: TimeTick, closest: Double) {
        while let last = ticks.last, Double(tick.index - last.index) < closest {
            guard tick.rank > last.rank else { return }
            ticks.removeLast()
        }
        ticks.append(tick)
    }
}

/// What the axis needs of the UTC calendar.
enum Calendar {
    /// A timestamp whose date can be computed: cut to the years 1970 to 9999.
    static func time(_ timestamp: Double) -> Double {
        timestamp > 0 ? min(timestamp, 253_402_300_799) : 0
    }

    /// The largest part of the date in which `time` differs from `previous`; both cut by `time(_:)`.
    static func rank(of time: Double, after previous: Double) -> TimeTick.Rank {
        let a = CivilDate(timestamp: time)
        let b = CivilDate(timestamp: previous)
        if a.year != b.year { return .year }
        if a.month != b.month { return .month }
        return a.day != b.day ? .day : .time
    }
}
