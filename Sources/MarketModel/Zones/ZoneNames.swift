/// Names by which a zone is found: its own, and its common aliases.
enum ZoneNames {
    /// Other names, each followed by the name in `ZoneTable`.
    private static let aliases: [StaticString] = [
        "GMT", "UTC", "Etc/UTC", "UTC", "Etc/GMT", "UTC", "Etc/Universal", "UTC", "Universal", "UTC", "Zulu", "UTC",
        "US/Eastern", "America/New_York", "EST5EDT", "America/New_York", "America/Detroit", "America/New_York",
        "US/Central", "America/Chicago", "CST6CDT", "America/Chicago",
        "US/Mountain", "America/Denver", "MST7MDT", "America/Denver", "US/Arizona", "America/Phoenix",
        "US/Pacific", "America/Los_Angeles", "PST8PDT", "America/Los_Angeles", "US/Hawaii", "Pacific/Honolulu",
        "Canada/Eastern", "America/Toronto", "America/Montreal", "America/Toronto",
        "Canada/Pacific", "America/Vancouver", "Canada/Atlantic", "America/Halifax",
        "America/Buenos_Aires", "America/Argentina/Buenos_Aires", "Brazil/East", "America/Sao_Paulo",
        "Chile/Continental", "America/Santiago", "Mexico/General", "America/Mexico_City",
        "GB", "Europe/London", "Europe/Belfast", "Europe/London", "Eire", "Europe/Dublin",
        "Portugal", "Europe/Lisbon", "Poland", "Europe/Warsaw", "Turkey", "Europe/Istanbul",
        "Asia/Istanbul", "Europe/Istanbul", "W-SU", "Europe/Moscow", "Europe/Kyiv", "Europe/Kiev",
        "Europe/Luxembourg", "Europe/Brussels", "Iceland", "Atlantic/Reykjavik",
        "Asia/Tel_Aviv", "Asia/Jerusalem", "Israel", "Asia/Jerusalem", "Egypt", "Africa/Cairo",
        "Asia/Calcutta", "Asia/Kolkata", "Asia/Saigon", "Asia/Ho_Chi_Minh", "Singapore", "Asia/Singapore",
        "Hongkong", "Asia/Hong_Kong", "PRC", "Asia/Shanghai", "Asia/Chongqing", "Asia/Shanghai",
        "ROC", "Asia/Taipei", "Japan", "Asia/Tokyo", "ROK", "Asia/Seoul",
        "Australia/ACT", "Australia/Sydney", "Australia/Canberra", "Australia/Sydney",
        "Australia/NSW", "Australia/Sydney", "Australia/Queensland", "Australia/Brisbane",
        "Australia/West", "Australia/Perth", "NZ", "Pacific/Auckland",
    ]

    /// The rows of `ZoneTable` that belong to a name, whatever the case of its letters; `nil` for an unknown one.
    static func rows(of name: some Sequence<UInt8>) -> Range<Int>? {
        let name = Array(name)
        if let rows = tableRows(of: name) { return rows }
        for index in stride(from: 0, to: aliases.count, by: 2) where isSame(aliases[index], name) {
            return aliases[index + 1].withUTF8Buffer { tableRows(of: Array($0)) }
        }
        return nil
    }

    private static func tableRows(of name: [UInt8]) -> Range<Int>? {
        let eras = ZoneTable.eras
        guard !name.isEmpty, let first = eras.firstIndex(where: { isSame($0.zone, name) }) else { return nil }
        var end = first + 1
        while end < eras.count && eras[end].zone.utf8CodeUnitCount == 0 { end += 1 }
        return first..<end
    }

    private static func isSame(_ name: StaticString, _ other: [UInt8]) -> Bool {
        name.withUTF8Buffer { $0.count == other.count && zip($0, other).allSatisfy { lower($0) == lower($1) } }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}
