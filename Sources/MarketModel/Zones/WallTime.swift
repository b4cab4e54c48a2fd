/// The moments at which a clock on the wall shows a time.
package enum WallTime: Sendable, Equatable {
    /// Seconds since 1970 UTC.
    case once(Double)
    /// Clocks were set back over it: it was shown before the change and again after it.
    case twice(Double, Double)
    /// Clocks were set forward over it at this moment: no clock showed it.
    case skipped(at: Double)

    /// The first moment that is not before this time on the wall: of two the earlier, of none the change of clocks.
    /// So it is the start of a day that begins without a midnight.
    package var first: Double {
        switch self {
        case .once(let time), .twice(let time, _), .skipped(let time): time
        }
    }
}

extension TimeZoneRules {
    /// What clocks show at `time`, as if that were UTC: `CivilDate(timestamp:)` of it is the local day.
    public func wall(at time: Double) -> Double { time + offset(at: time) }

    /// When clocks show `wall`.
    /// - Parameter wall: a local date and time as seconds since 1970-01-01 00:00 of the same clock.
    /// - Complexity: O(log changes)
    package func utc(ofWall wall: Double) -> WallTime {
        // No zone is further from UTC than 26 hours are long, whatever it changed.
        let reach = 26 * 3600.0
        var span = self.span(at: wall - reach)
        var found: Double?
        while true {
            let time = wall - span.offset
            if span.contains(time) {
                if let found { return .twice(found, time) }
                found = time
            }
            guard span.end <= wall + reach else { break }
            let next = self.span(at: span.end)
            // Set forward over it: past the end by the old clock, not yet there by the new one.
            if found == nil, time >= span.end, wall - next.offset < span.end { return .skipped(at: span.end) }
            span = next
        }
        // Only a time that is no number is found nowhere.
        return .once(found ?? 0)
    }
}
