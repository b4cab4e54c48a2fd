import Testing

@testable import VenueSimulation

@Suite("Times of a recording")
struct TimeShiftTests {
    private let window = TimeShift(around: [1_618_677_817_000_000_000, 1_618_677_900_000_000_000])

    @Test(
        "are moved in the form they have",
        arguments: [
            (#"{"t":1618677817}"#, #"{"t":1618677937}"#, "seconds"),
            (#"{"t":"1618677817"}"#, #"{"t":"1618677937"}"#, "seconds in quotes"),
            (#"["1618678142.557535"]"#, #"["1618678262.557535"]"#, "seconds with a fraction"),
            (#"[1618677817123,1]"#, #"[1618677937123,1]"#, "milliseconds"),
            (#"{"m":"1618677817123456"}"#, #"{"m":"1618677937123456"}"#, "microseconds"),
            (#"{"n":1618677817123456789}"#, #"{"n":1618677937123456789}"#, "nanoseconds"),
            (#""2021-04-17T16:43:37.121358Z""#, #""2021-04-17T16:45:37.121358Z""#, "RFC 3339"),
            (#""2021-04-17T23:59:30.121358123Z""#, #""2021-04-18T00:01:30.121358123Z""#, "over midnight"),
            (#""2021-04-17T16:43:37Z""#, #""2021-04-17T16:45:37Z""#, "whole seconds"),
            (#""2021-04-17 16:43:37.12Z""#, #""2021-04-17 16:45:37.12Z""#, "with a blank"),
        ])
    func moved(_ text: String, _ expected: String, _ form: Comment) {
        #expect(String(decoding: window.moved(Array(text.utf8), bySeconds: 120), as: UTF8.self) == expected, form)
    }

    @Test(
        "and nothing else",
        arguments: [
            (#"{"id":3735683259}"#, "ten digits of another year"),
            (#"{"u":5123107832006}"#, "thirteen digits of another year"),
            (#"{"t":16186778170}"#, "eleven digits"),
            (#"{"p":"1618677817.1234567891"}"#, "more digits than a time has"),
            (#"{"p":1618677817e0}"#, "an exponent"),
            (#"{"1618677817x":1}"#, "a part of a text"),
            (#"{"p":-1618677817}"#, "a negative number"),
            (#""2021-04-20T16:43:37.121358Z""#, "a day outside of the recording"),
            (#""2021-04-17T16:43:37.121358+02:00""#, "another zone"),
            (#""2021-04-17T16:43:37."#, "half a text"),
            (#"{"a":"\"1618677817\""}"#, "an escaped quote"),
        ])
    func others(_ text: String, _ reason: Comment) {
        #expect(String(decoding: window.moved(Array(text.utf8), bySeconds: 120), as: UTF8.self) == text, reason)
    }

    @Test("moved there and back again, bytes are the same")
    func back() {
        for (index, text) in [#"{"t":1618677817,"u":"2021-04-17T16:43:37.121358Z"}"#, "[1618677817999]"].enumerated() {
            let bytes = Array(text.utf8)
            let there = window.moved(bytes, bySeconds: 86_400 * 365)
            #expect(there != bytes, "text \(index)")
            let moved = TimeShift(around: [1_618_677_817_000_000_000 + 31_536_000_000_000_000])
            #expect(moved.moved(there, bySeconds: -86_400 * 365) == bytes)
        }
    }

    @Test("a text of a time reads as nanoseconds")
    func reading() {
        #expect(VenueTime.nanoseconds("2021-04-17T16:43:37.121358Z") == 1_618_677_817_121_358_000)
        #expect(VenueTime.nanoseconds("1618678142.557535") == 1_618_678_142_557_535_000)
        #expect(VenueTime.nanoseconds("1618678142557") == 1_618_678_142_557_000_000)
        #expect(VenueTime.nanoseconds("yesterday") == nil)
        #expect(VenueTime.rfc3339(1_618_677_817_121_358_123, digits: 9) == "2021-04-17T16:43:37.121358123Z")
    }
}
