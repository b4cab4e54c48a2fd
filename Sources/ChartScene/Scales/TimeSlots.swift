internal import MarketModel

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
    func slot(_ index: Int) -> Double {
        kind == .bars ? Double(index) : slotInTime(index)
    }

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
    func slot(ofTime time: Double) -> Double {
        time / timeframe.seconds
    }

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
