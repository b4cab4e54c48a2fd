internal import MarketModel

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
        clear()
        guard !slots.series.isEmpty, spacing > 0 else { return }
        let seconds = slots.timeframe.seconds
        choose(TimeStep.finest(atLeast: distance / spacing * seconds, bar: seconds))
        let closest = distance / spacing * (2.0 / 3)
        let end = Calendar.time((right + 0.5) * seconds)
        var previous = Calendar.time((left - 2 * distance / spacing) * seconds)
        while true {
            let time = clock.boundary(of: step, after: previous)
            guard time > previous, time <= end else { return }
            let wall = clock.wall(time)
            let rank = Calendar.rank(of: wall, after: clock.wall(previous))
            add(
                TimeTick(
                    index: slots.series.index(notBefore: time, slots.timeframe), timestamp: time, wall: wall,
                    rank: rank, place: slots.slot(ofTime: time)),
                closest: closest)
            previous = time
        }
    }
}
