/// A time zone with its daylight saving time: what clocks showed and will show, exact from 1970 on.
///
/// ```swift
/// let zone = TimeZoneRules("America/New_York")!
/// zone.offset(at: 1_700_000_000)                  // -18,000: five hours behind UTC
/// zone.nextTransition(after: 1_700_000_000)       // 2024-03-10 07:00 UTC
/// zone.utc(ofWall: wall)                          // which moments that clock showed: one, two or none
/// ```
///
/// The zones are those where markets are, from a table of our own (see `ZoneTable`), so a chart shows the same on every
/// platform. Rules that have no end go on for ever, as they are known today. Making one costs some tens of
/// microseconds and up to 16 KB; keep it. For many times near each other, keep the `ZoneSpan` too.
public struct TimeZoneRules: Sendable, Equatable {
    /// The IANA name, `America/New_York`; the canonical one where an alias was given.
    public let identifier: StaticString
    private let history: ZoneHistory

    public static let utc = TimeZoneRules(rows: 0..<1)

    /// - Parameter name: an IANA name or a usual alias (`US/Eastern`, `Asia/Calcutta`), in any case; `nil` where the
    ///   table does not have it.
    public init?(_ name: String) { self.init(utf8: name.utf8) }

    /// The same from the name's UTF-8.
    public init?(utf8 name: some Sequence<UInt8>) {
        guard let rows = ZoneNames.rows(of: name) else { return nil }
        self.init(rows: rows)
    }

    private init(rows: Range<Int>) {
        identifier = ZoneTable.eras[rows.lowerBound].zone
        history = ZoneHistory(rows: rows)
    }

    /// All names that are not aliases, UTC first.
    public static var identifiers: [StaticString] {
        var names: [StaticString] = []
        for era in ZoneTable.eras where era.zone.utf8CodeUnitCount > 0 { names.append(era.zone) }
        return names
    }

    /// Seconds to add to UTC for what clocks show at `time`.
    /// - Parameter time: seconds since 1970 UTC. Before 1970 it is what held when 1970 began.
    /// - Complexity: O(log changes)
    public func offset(at time: Double) -> Double { span(at: time).offset }

    /// The stretch of time around `time` in which clocks did not change.
    /// - Complexity: O(log changes)
    package func span(at time: Double) -> ZoneSpan {
        // Beyond this the calendar counts no days.
        let time = time.isNaN ? 0 : min(max(time, -8e13), 8e13)
        var shift = 0.0
        if history.isEndless && time >= ZoneHistory.cycleStart + ZoneHistory.cycle {
            shift = ((time - ZoneHistory.cycleStart) / ZoneHistory.cycle).rounded(.down) * ZoneHistory.cycle
        }
        let index = history.index(at: time - shift)
        let change = history.changes[index]
        let next = index + 1 < history.changes.count ? history.changes[index + 1].start : .infinity
        return ZoneSpan(
            start: change.start + shift, end: next + shift, offset: Double(change.offset), name: change.name)
    }

    /// When clocks change next after `time`; `nil` where they never do as far as is known.
    public func nextTransition(after time: Double) -> Double? {
        let end = span(at: time).end
        return end < .infinity ? end : nil
    }

    public static func == (a: TimeZoneRules, b: TimeZoneRules) -> Bool {
        a.identifier.isSame(as: b.identifier)
    }
}
