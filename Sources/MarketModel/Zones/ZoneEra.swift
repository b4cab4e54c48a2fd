/// A stretch of a zone's history with one standard time and one set of rules. Rows of `ZoneTable` without a name continue
/// the zone above them.
struct ZoneEra {
    let zone: StaticString
    /// Standard time's distance from UTC as `hh_mm`, positive east of Greenwich.
    let offset: Int16
    let rules: DaylightRules
    /// What standard time is called, and what the other one is; empty where people say the distance.
    let standardName: StaticString
    let daylightName: StaticString
    let until: ZoneMoment?

    @inline(__always)
    init(
        _ zone: StaticString, _ offset: Int16, _ rules: DaylightRules, _ standardName: StaticString = "",
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
