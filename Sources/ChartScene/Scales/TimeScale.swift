internal import MarketModel

/// Bars and times to device pixels: the viewport at one size.
struct TimeScale {
    /// Width of the plot in device pixels.
    let plotWidth: Double
    /// The place at the plot's right edge, in the viewport's unit.
    let right: Double
    /// Distance of two bars, or width of a bar's time, in device pixels.
    let spacing: Double
    /// Where bars are in the viewport's unit.
    var slots = TimeSlots.bars

    /// The pixel of a place in the viewport's unit, not snapped.
    @inline(__always)
    func x(place: Double) -> Double { plotWidth - (right - place) * spacing }

    /// The centre of bar `index`, not snapped.
    @inline(__always)
    func x(_ index: Int) -> Double { x(place: slots.slot(index)) }

    /// The pixel of an index between bars, not snapped.
    func x(_ index: Double) -> Double { x(place: slots.slot(at: index)) }

    /// Where a bar's part of the axis begins; it ends so far to the right of its centre.
    func left(of index: Int) -> Double { x(place: slots.slot(index) - 0.5) }
    func right(of index: Int) -> Double { x(place: slots.slot(index) + 0.5) }

    /// The index, between bars too, under device pixel `x`.
    func index(at x: Double) -> Double { slots.index(of: right - (plotWidth - x) / spacing) }
}

/// How time is spread over the width.
public enum TimeScaleKind: UInt8, CaseIterable, Sendable {
    // Raw values are the boundary's numbers: append only.
    /// One bar beside the other: where nothing was traded has no room.
    case bars
    /// Each bar where its time is: nights, weekends and holes of the data are as wide as they were long.
    case time
}

/// Where bars are, in the viewport's unit. Among bars, that is their index. In time, it is how many times the length of
/// a bar fits between 1970 and its start: the place of a bar does not depend on which others there are, and a view stays
/// where it is while bars come and go at either end.
struct TimeSlots {
    let kind: TimeScaleKind
    let series: CandleSeries
    let timeframe: Timeframe

    static var bars: TimeSlots { TimeSlots(kind: .bars, series: CandleSeries(), timeframe: .m1) }

    /// The place of a bar, or of where one would be.
    /// - Complexity: O(1)
    @inline(__always)
    func slot(_ index: Int) -> Double { kind == .bars ? Double(index) : slotInTime(index) }

    /// Not inlined: loops over bars would hold it many times.
    @inline(never)
    private func slotInTime(_ index: Int) -> Double {
        series.isEmpty ? 0 : slot(ofTime: series.time(at: index, timeframe))
    }

    /// The place of an index between bars.
    func slot(at index: Double) -> Double {
        kind == .bars ? index : slot(ofTime: series.time(ofPosition: index, timeframe))
    }

    /// The index, between bars too, at a place.
    /// - Complexity: O(1) among bars, O(log bars) in time.
    func index(of slot: Double) -> Double {
        kind == .bars ? slot : series.position(of: slot * timeframe.seconds, timeframe)
    }

    /// The place of a time, where `kind` is `time`.
    @inline(__always)
    func slot(ofTime time: Double) -> Double { time / timeframe.seconds }

    /// The bars of which at least a part lies between two places; each is as wide as its timeframe is long.
    func bars(from left: Double, to right: Double) -> Range<Int> {
        let first = series.firstIndex(notBefore: (left - 0.5) * timeframe.seconds)
        return first..<max(first, series.firstIndex(notBefore: (right + 0.5) * timeframe.seconds))
    }

    /// The same with the places before the oldest bar and after the newest one.
    func indices(from left: Double, to right: Double) -> Range<Int> {
        let first = series.index(notBefore: (left - 0.5) * timeframe.seconds, timeframe)
        return first..<max(first, series.index(notBefore: (right + 0.5) * timeframe.seconds, timeframe))
    }
}
