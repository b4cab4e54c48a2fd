public import MarketModel

/// The clock on the chart's wall: what it shows at a time, and when its days, hours and months begin.
///
/// It keeps the stretch between two changes of the clocks that was used last, so that neighbouring bars cost an
/// addition each.
struct ZoneClock: Sendable {
    let zone: TimeZoneRules
    private var span: ZoneSpan

    init(_ zone: TimeZoneRules) {
        self.zone = zone
        span = zone.span(at: 0)
    }

    /// The date and time shown at `time`, as if that were UTC.
    mutating func wall(_ time: Double) -> Double {
        if !span.contains(time) { span = zone.span(at: time) }
        return time + span.offset
    }

    /// The first moment after `time` at which a tick of `step` may stand.
    ///
    /// Steps follow the clock on the wall, so a day has the 23 or 25 hours that it really had: an hour that was set back
    /// over has its ticks twice, one that was set forward over has none. A day whose midnight was skipped begins with
    /// the change.
    mutating func boundary(of step: TimeStep, after time: Double) -> Double {
        var next = step.boundary(after: wall(time))
        var moment = next - span.offset
        // Each turn is one change of the clocks further; a step has at most a few.
        while moment >= span.end {
            let change = span.end
            span = zone.span(at: change)
            let wall = change + span.offset
            let isDay = next == (next / 86_400).rounded(.down) * 86_400
            if next <= wall && (next == wall || isDay) { return change }
            // Back to the first boundary that the new clock still shows.
            next = step.boundary(after: wall - 0.001)
            moment = next - span.offset
        }
        return moment
    }
}

extension ChartView {
    /// Shows times on the axis and at the crosshair by the clocks of a zone. Bars stay what they are: their buckets are
    /// those of UTC, and so a bar of a day or longer keeps its own date, whatever the zone; the corner of the axes says
    /// which clock it is.
    public mutating func setTimeZone(_ zone: TimeZoneRules) {
        timeZone = zone
        updateClock()
    }

    /// Seconds that the chart's clock is ahead of UTC at a time, for who writes times beside the chart; 0 with bars of a
    /// day and longer.
    public func clockOffset(at time: Double) -> Double { clock.zone.offset(at: time) }

    /// The clock that fits the timeframe.
    mutating func updateClock() {
        mark(.everything)
        clock = ZoneClock(timeframe.seconds < 86_400 ? timeZone : .utc)
    }
}

extension TextBuffer {
    /// The zone's city as people write it: `New York`, `UTC`.
    mutating func append(city zone: TimeZoneRules) {
        let start = bytes.count
        zone.identifier.withUTF8Buffer { name in
            for byte in name {
                if byte == 0x2F { truncate(to: start) } else { append(byte: byte == 0x5F ? 0x20 : byte) }
            }
        }
    }

    /// What the zone's clock is called at a time: `EDT`, `+05:30`.
    mutating func append(abbreviation zone: TimeZoneRules, at time: Double) {
        var utf8: [UInt8] = []
        zone.span(at: time).appendAbbreviation(to: &utf8)
        append(utf8: utf8)
    }
}
