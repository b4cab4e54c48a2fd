import MarketModel
import Testing

@Suite("Time zones")
struct ZoneTests {
    /// Seconds since 1970 of a date and time, as if it were UTC.
    static func seconds(_ year: Int, _ month: Int, _ day: Int, _ hour: Double = 0) -> Double {
        Double(CivilDate(year: year, month: month, day: day).daysSince1970) * 86_400 + hour * 3600
    }

    private func abbreviation(_ zone: TimeZoneRules, at time: Double) -> String {
        var utf8: [UInt8] = []
        zone.span(at: time).appendAbbreviation(to: &utf8)
        return String(decoding: utf8, as: UTF8.self)
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let zone: String
        /// In UTC.
        let date: (Int, Int, Int, Double)
        /// Hours ahead of UTC before and after.
        let before: Double
        let after: Double
        let name: String
        var testDescription: String { "\(zone) \(date)" }
    }

    /// Changes that a market noticed, each for its own reason.
    static let changes: [Change] = [
        .init(zone: "America/New_York", date: (2024, 3, 10, 7), before: -5, after: -4, name: "EDT"),
        .init(zone: "America/New_York", date: (2024, 11, 3, 6), before: -4, after: -5, name: "EST"),
        // The energy crisis: in January.
        .init(zone: "America/New_York", date: (1974, 1, 6, 7), before: -5, after: -4, name: "EDT"),
        .init(zone: "America/Chicago", date: (2006, 4, 2, 8), before: -6, after: -5, name: "CDT"),
        .init(zone: "Europe/London", date: (1971, 10, 31, 2), before: 1, after: 0, name: "GMT"),
        .init(zone: "Europe/London", date: (2026, 3, 29, 1), before: 0, after: 1, name: "BST"),
        // Irish winters are the exception, not the summers.
        .init(zone: "Europe/Dublin", date: (2026, 10, 25, 1), before: 1, after: 0, name: "GMT"),
        .init(zone: "Europe/Berlin", date: (1980, 4, 6, 1), before: 1, after: 2, name: "CEST"),
        // In Central European Time for three years.
        .init(zone: "Europe/Lisbon", date: (1996, 3, 31, 1), before: 1, after: 1, name: "WEST"),
        .init(zone: "Europe/Istanbul", date: (2015, 11, 8, 1), before: 3, after: 2, name: "EET"),
        .init(zone: "Europe/Moscow", date: (2014, 10, 25, 22), before: 4, after: 3, name: "MSK"),
        .init(zone: "America/Sao_Paulo", date: (2019, 2, 17, 2), before: -2, after: -3, name: "-03:00"),
        .init(zone: "America/Mexico_City", date: (2022, 10, 30, 7), before: -5, after: -6, name: "CST"),
        .init(zone: "Africa/Cairo", date: (2023, 4, 27, 22), before: 2, after: 3, name: "EEST"),
        .init(zone: "Asia/Jerusalem", date: (2005, 4, 1, 0), before: 2, after: 3, name: "IDT"),
        .init(zone: "Asia/Singapore", date: (1981, 12, 31, 16), before: 7.5, after: 8, name: "+08:00"),
        .init(zone: "Asia/Shanghai", date: (1991, 9, 14, 17), before: 9, after: 8, name: "CST"),
        .init(zone: "Australia/Sydney", date: (2000, 8, 26, 16), before: 10, after: 11, name: "AEDT"),
        .init(zone: "Pacific/Auckland", date: (2026, 9, 26, 14), before: 12, after: 13, name: "NZDT"),
        // The rules go on.
        .init(zone: "America/New_York", date: (2100, 3, 14, 7), before: -5, after: -4, name: "EDT"),
        .init(zone: "Europe/Paris", date: (2837, 3, 29, 1), before: 1, after: 2, name: "CEST"),
    ]

    @Test("clocks change when they changed", arguments: changes)
    func table(_ change: Change) throws {
        let zone = try #require(TimeZoneRules(change.zone))
        let (year, month, day, hour) = change.date
        let time = Self.seconds(year, month, day, hour)
        #expect(zone.offset(at: time - 1) == change.before * 3600)
        #expect(zone.offset(at: time) == change.after * 3600)
        #expect(zone.nextTransition(after: time - 1) == time)
        #expect(abbreviation(zone, at: time) == change.name)
    }

    @Test("zones without daylight saving never change, and India is half an hour off")
    func still() throws {
        let tokyo = try #require(TimeZoneRules("Asia/Tokyo"))
        let kolkata = try #require(TimeZoneRules("Asia/Kolkata"))
        for time in [-1e18, 0, 1.7e9, 1e18, .nan, .infinity] {
            #expect(tokyo.offset(at: time) == 9 * 3600 && tokyo.nextTransition(after: time) == nil)
            #expect(kolkata.offset(at: time) == 5.5 * 3600)
            #expect(TimeZoneRules.utc.offset(at: time) == 0)
        }
    }

    @Test(
        "a zone is found by its aliases in any case, and an unknown one is not",
        arguments: [
            ("US/Eastern", "America/New_York"), ("america/new_york", "America/New_York"), ("utc", "UTC"),
            ("Asia/Calcutta", "Asia/Kolkata"), ("Asia/Tel_Aviv", "Asia/Jerusalem"), ("NZ", "Pacific/Auckland"),
            ("Europe/Kyiv", "Europe/Kiev"), ("", nil), ("Europe", nil), ("Mars/Olympus", nil),
            ("America/New_York2", nil),
        ] as [(String, String?)])
    func names(name: String, expected: String?) {
        #expect(TimeZoneRules(name).map { "\($0.identifier)" } == expected)
    }

    @Test("every zone of the table is found, and markets' zones are in it")
    func identifiers() {
        let names = TimeZoneRules.identifiers.map { "\($0)" }
        #expect(names.count >= 40 && Set(names).count == names.count && names.first == "UTC")
        for name in names { #expect(TimeZoneRules(name).map { "\($0.identifier)" } == name) }
    }

    @Test("a time on the wall comes once, twice or never")
    func wall() throws {
        let newYork = try #require(TimeZoneRules("America/New_York"))
        let spring = Self.seconds(2024, 3, 10, 7)
        let autumn = Self.seconds(2024, 11, 3, 6)
        #expect(newYork.utc(ofWall: Self.seconds(2024, 3, 10, 1.5)) == .once(spring - 1800))
        #expect(newYork.utc(ofWall: Self.seconds(2024, 3, 10, 2)) == .skipped(at: spring))
        #expect(newYork.utc(ofWall: Self.seconds(2024, 3, 10, 2.5)) == .skipped(at: spring))
        #expect(newYork.utc(ofWall: Self.seconds(2024, 3, 10, 3)) == .once(spring))
        #expect(newYork.utc(ofWall: Self.seconds(2024, 11, 3, 1)) == .twice(autumn - 3600, autumn))
        #expect(newYork.utc(ofWall: Self.seconds(2024, 11, 3, 2)) == .once(autumn + 3600))
        // A day without a midnight begins at one.
        let saoPaulo = try #require(TimeZoneRules("America/Sao_Paulo"))
        #expect(saoPaulo.utc(ofWall: Self.seconds(2018, 11, 4)).first == Self.seconds(2018, 11, 4, 3))
        #expect(saoPaulo.wall(at: Self.seconds(2018, 11, 4, 3)) == Self.seconds(2018, 11, 4, 1))
    }

    @Test("wall time and back is the same moment, in every zone, around every change")
    func roundTrip() throws {
        for name in TimeZoneRules.identifiers {
            let zone = try #require(TimeZoneRules("\(name)"))
            var time = 0.0
            while let change = zone.nextTransition(after: time), change < Self.seconds(2040, 1, 1) {
                for near in stride(from: change - 3 * 3600, through: change + 3 * 3600, by: 900) {
                    switch zone.utc(ofWall: zone.wall(at: near)) {
                    case .once(let back): #expect(back == near)
                    case .twice(let early, let late): #expect(early < late && (early == near || late == near))
                    case .skipped: Issue.record("\(name) at \(near) was shown")
                    }
                }
                time = change
            }
        }
    }
}
