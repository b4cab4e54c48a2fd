/// A zone's rules worked out: every change of its clocks in order.
///
/// Rules without an end are worked out through 2437. The Gregorian calendar repeats itself every 400 years, so later
/// times are looked up that many years earlier.
struct ZoneHistory: Sendable {
    /// What holds from `start` on.
    struct Change: Sendable {
        /// Seconds since 1970 UTC.
        var start: Double
        /// Seconds ahead of UTC.
        var offset: Int32
        /// Row of `ZoneTable` and which of its two names holds.
        var era: UInt8
        var isStandard: Bool

        var name: StaticString {
            let era = ZoneTable.eras[Int(self.era)]
            return isStandard ? era.standardName : era.daylightName
        }
    }

    private(set) var changes: [Change] = []
    /// Whether the clocks go on changing after the table's last year.
    private(set) var isEndless = false

    /// Rules count from here on, so that 1970 begins in the right one.
    private static let firstYear = 1966
    private static let lastFiniteYear = 2037
    private static let cycleYears = 400

    /// The 400 years that stand for all later ones: 2037-01-01 to 2437-01-01.
    static let cycleStart = 2_114_380_800.0
    static let cycle = 12_622_780_800.0

    /// - Parameter rows: the zone's rows of `ZoneTable`.
    init(rows: Range<Int>) {
        var start = 0.0
        var before: Double?
        for row in rows {
            let era = ZoneTable.eras[row]
            let end = era.until?.timestamp ?? Double.infinity
            expand(era, UInt8(row), from: start, to: end, before: before)
            start = end
            before = secondsOf(era.offset)
        }
        if !changes.isEmpty { changes[0].start = -.infinity }
    }

    /// - Parameter before: standard time of the era before. Where an era begins together with a change of the clocks, the
    ///   clock in front of both says when that is.
    private mutating func expand(_ era: ZoneEra, _ row: UInt8, from start: Double, to end: Double, before: Double?) {
        let rules = DaylightTable.rules(era.rules)
        let isOpen = end == .infinity && rules.contains { $0.lastYear == .max }
        isEndless = isEndless || isOpen
        let standard = secondsOf(era.offset)
        var ahead = 0.0
        // The rule that held before counts from the era's start on.
        var isBegun = false
        let lastYear = ZoneHistory.lastFiniteYear + (isOpen ? ZoneHistory.cycleYears : 0)
        for year in ZoneHistory.firstYear...lastYear {
            // Each rule's day in the year, before the clock in front of it is known.
            var events: [(local: Double, rule: DaylightRule)] = []
            for rule in rules where year >= rule.firstYear && year <= rule.lastYear {
                events.append((rule.local(in: year), rule))
            }
            for index in sortedIndices(events.count, { events[$0].local < events[$1].local }) {
                let event = events[index]
                let clock = event.rule.clock
                let saved = clock == .wall ? ahead : 0
                let utc = event.local - (clock == .utc ? 0 : standard) - saved
                guard utc < end else { break }
                let isPast = utc <= start || (clock != .utc && event.local - (before ?? standard) - saved <= start)
                if !isPast && !isBegun {
                    isBegun = true
                    add(start, standard, ahead, row)
                }
                ahead = event.rule.ahead
                if !isPast { add(utc, standard, ahead, row) }
            }
        }
        if !isBegun { add(start, standard, ahead, row) }
    }

    /// A change that changes nothing is none.
    private mutating func add(_ start: Double, _ standard: Double, _ ahead: Double, _ row: UInt8) {
        let change = Change(start: start, offset: Int32(standard + ahead), era: row, isStandard: ahead == 0)
        if let last = changes.last, last.offset == change.offset, last.name.isSame(as: change.name) { return }
        changes.append(change)
    }

    /// The position of the change that holds at `time`, which lies before the end of the cycle.
    /// - Complexity: O(log changes)
    func index(at time: Double) -> Int {
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].start <= time { low = middle + 1 } else { high = middle }
        }
        return max(low - 1, 0)
    }
}

extension StaticString {
    /// Byte by byte: equal literals need not be the same one.
    func isSame(as other: StaticString) -> Bool {
        withUTF8Buffer { mine in other.withUTF8Buffer { mine.elementsEqual($0) } }
    }
}
