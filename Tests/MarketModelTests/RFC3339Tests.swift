import MarketModel
import Testing

@Suite("Times of RFC 3339")
struct RFC3339Tests {
    private static func seconds(_ text: String) -> Double? {
        Array(text.utf8).withUnsafeBytes { RFC3339.seconds($0) }
    }

    private static func nanoseconds(_ text: String) -> Int64? {
        Array(text.utf8).withUnsafeBytes { RFC3339.nanoseconds($0) }
    }

    @Test(
        "reads fractions, zones and leap seconds",
        arguments: [
            ("1970-01-01T00:00:00Z", 0.0), ("2021-04-17T16:43:37.121358Z", 1_618_677_817.121358),
            ("2021-04-17t16:43:37z", 1_618_677_817), ("2021-04-17 16:43:37Z", 1_618_677_817),
            ("2021-04-17T18:43:37+02:00", 1_618_677_817), ("2021-04-17T11:13:37.5-05:30", 1_618_677_817.5),
            ("2016-12-31T23:59:60Z", 1_483_228_800), ("0000-01-01T00:00:00Z", -62_167_219_200),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("2024-02-29T00:00:00.0000000019Z", 1_709_164_800),
        ])
    func reading(_ text: String, _ seconds: Double) {
        #expect(Self.seconds(text) == seconds)
    }

    @Test(
        "other texts are not times",
        arguments: [
            "", "2021-04-17", "2021-04-17T16:43:37", "2021-04-17T16:43:37.Z", "2021-04-17T16:43:37Zx",
            "2021-02-29T00:00:00Z", "2021-13-01T00:00:00Z", "2021-04-17T24:00:00Z", "2021-04-17T16:60:00Z",
            "2021-04-17T16:43:61Z", "2021-04-17T16:43:37+24:00", "2021/04/17T16:43:37Z", "2021-04-17T16:43:3aZ",
        ])
    func notATime(_ text: String) {
        #expect(Self.seconds(text) == nil)
        #expect(Self.nanoseconds(text) == nil)
    }

    @Test("nanoseconds are exact, and have the years that 64 bits hold")
    func nanoseconds() {
        #expect(Self.nanoseconds("2021-04-17T16:43:37.121358123Z") == 1_618_677_817_121_358_123)
        #expect(Self.nanoseconds("1969-12-31T23:59:59.75Z") == -250_000_000)
        #expect(Self.nanoseconds("9999-12-31T23:59:59Z") == nil)
        #expect(Self.nanoseconds("0001-01-01T00:00:00Z") == nil)
        #expect(
            RFC3339.text(nanoseconds: 1_618_677_817_121_358_123, fractionDigits: 9) == "2021-04-17T16:43:37.121358123Z")
        #expect(
            RFC3339.text(nanoseconds: 1_618_677_817_121_358_999, fractionDigits: 6) == "2021-04-17T16:43:37.121358Z")
        #expect(RFC3339.text(nanoseconds: -1, fractionDigits: 0) == "1969-12-31T23:59:59Z")
        #expect(RFC3339.text(nanoseconds: .min, fractionDigits: 3) == "1677-09-21T00:12:43.145Z")
    }

    @Test("writes whole seconds cut off, and fractions rounded")
    func writing() {
        #expect(RFC3339.text(1_723_093_200) == "2024-08-08T05:00:00Z")
        #expect(RFC3339.text(1_723_093_200.999) == "2024-08-08T05:00:00Z")
        #expect(RFC3339.text(1_723_093_200.25, fractionDigits: 3) == "2024-08-08T05:00:00.250Z")
        #expect(RFC3339.text(1_723_093_200.9996, fractionDigits: 3) == "2024-08-08T05:00:01.000Z")
        #expect(RFC3339.text(-0.5) == "1969-12-31T23:59:59Z")
        #expect(RFC3339.text(-62_167_219_200) == "0000-01-01T00:00:00Z")
    }

    @Test(
        "what no year has four digits for is written as the nearest that it has",
        arguments: [
            (Double.nan, "1970-01-01T00:00:00Z"), (.infinity, "9999-12-31T23:59:59Z"), (1e18, "9999-12-31T23:59:59Z"),
            (-.infinity, "0000-01-01T00:00:00Z"),
        ])
    func bounds(_ seconds: Double, _ text: String) {
        #expect(RFC3339.text(seconds) == text)
    }

    @Test("what was written reads as the same time")
    func roundTrip() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<2000 {
            let time = (generator.unit() * 4e9 * 1000).rounded() / 1000
            #expect(Self.seconds(RFC3339.text(time, fractionDigits: 3)) == time)
        }
    }
}
