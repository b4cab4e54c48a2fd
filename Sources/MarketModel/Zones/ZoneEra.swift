/// A stretch of a zone's history with one standard time and one set of rules. Rows of `ZoneTable` without a name continue
/// the zone above them.
struct ZoneEra {
    let zone: StaticString
    /// Standard time's distance from UTC as `hh_mm`, positive east of Greenwich.
    let offset: Int16
    /// Their name in `DaylightTable`; empty for standard time all year.
    let rules: StaticString
    /// What standard time is called, and what the other one is; empty where people say the distance.
    let standardName: StaticString
    let daylightName: StaticString
    let until: ZoneMoment?

    @inline(__always)
    init(
        _ zone: StaticString, _ offset: Int16, _ rules: StaticString, _ standardName: StaticString = "",
        _ daylightName: StaticString = "", until: ZoneMoment? = nil
    ) {
        self.zone = zone
        self.offset = offset
        self.rules = rules
        self.standardName = standardName
        self.daylightName = daylightName
        self.until = until
    }
}

/// The end of an era, in UTC.
struct ZoneMoment {
    let year: Int16
    let month: Int8
    let day: Int8
    let timeOfDay: Int16

    @inline(__always)
    static func utc(_ year: Int16, _ month: Int8, _ day: Int8, _ timeOfDay: Int16) -> ZoneMoment {
        ZoneMoment(year: year, month: month, day: day, timeOfDay: timeOfDay)
    }

    var timestamp: Double {
        let date = CivilDate(year: Int(year), month: Int(month), day: Int(day))
        return Double(date.daysSince1970) * 86_400 + secondsOf(timeOfDay)
    }
}

/// A stretch of time without a change of the clocks.
package struct ZoneSpan: Sendable {
    /// Its first moment, seconds since 1970 UTC; minus infinity for the first one.
    package let start: Double
    /// Its end (exclusive), when clocks change; infinity for the last one.
    package let end: Double
    /// Seconds ahead of UTC.
    package let offset: Double
    /// `EST`, `CEST`; empty where people say the distance from UTC.
    let name: StaticString

    package func contains(_ time: Double) -> Bool { time >= start && time < end }

    /// Writes what the clock is called, `EDT`, or where it has no name its distance from UTC, `+05:30`.
    package func appendAbbreviation(to utf8: inout [UInt8]) {
        guard name.utf8CodeUnitCount == 0 else {
            name.withUTF8Buffer { utf8.append(contentsOf: $0) }
            return
        }
        let minutes = Int(offset.magnitude / 60)
        utf8.append(offset < 0 ? 0x2D : 0x2B)
        for number in [minutes / 600, minutes / 60 % 10] { utf8.append(0x30 + UInt8(number)) }
        utf8.append(0x3A)
        for number in [minutes % 60 / 10, minutes % 10] { utf8.append(0x30 + UInt8(number)) }
    }
}
