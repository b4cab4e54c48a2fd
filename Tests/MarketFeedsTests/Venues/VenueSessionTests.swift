import MarketModel
import StreamCore
import Testing

@testable import MarketFeeds

@Suite("Venue sessions")
struct VenueSessionTests {
    @Test("a malformed message costs that message and a counter with its reason; duplicates and gaps are counted")
    func counts() {
        func message(_ id: Int) -> String { #"{"e":"trade","s":"A","t":\#(id),"p":"1.5","q":"2","T":1000}"# }
        let transcript = Transcript(
            .binance,
            [
                message(5), message(6), message(6), message(5), message(9), #"{"e":"#, #"{"e":"trade"}"#,
                #"{"e":"trade","t":"x","p":"y"}"#, "",
            ])
        #expect(transcript.trades.map(\.name) == ["5", "6", "9"])
        let counts = transcript.counts
        #expect(counts.messages == 9 && counts.trades == 3 && counts.duplicates == 2 && counts.missing == 2)
        #expect(counts.malformed == 4)
        #expect(counts.flaws[.notJSON] == 2 && counts.flaws[.missingField] == 1 && counts.flaws[.badValue] == 1)
    }

    @Test(
        "decimals are those that count",
        arguments: [
            ("61837.63000000", 2), ("450", 0), ("100", 0), ("0.10", 1), ("1.1e-7", 8), ("2e-8", 8), ("1.10E-7", 8),
            ("1e2", 0), ("1.25e1", 1), ("5.", 0), ("1e-99999999999999999999", 999),
        ])
    func decimals(text: String, count: Int) {
        #expect(Array(text.utf8).withUnsafeBytes { VenueDecimal.decimals(of: $0) } == count)
    }

    @Test(
        "whole numbers up to 2^64 - 1 are read exactly, in each form that JSON has for them",
        arguments: [
            ("0", 0), ("18446744073709551615", .max), ("18446744073709551616", nil), ("99999999999999999999", nil),
            ("\"7\"", 7), ("3.0", 3), ("3e2", 300), ("0.5", nil), ("-1", nil), ("\"\"", nil), ("\"x\"", nil),
            ("null", nil), ("[1]", nil), ("1e300", nil),
        ] as [(String, UInt64?)])
    func unsigned(text: String, value: UInt64?) {
        Array(text.utf8).withUnsafeBytes { bytes in
            var scanner = VenueScanner(bytes)
            #expect((try? scanner.unsigned())?.value == value)
        }
    }
}
