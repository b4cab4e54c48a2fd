import Foundation
import TestKit
import Testing

@testable import FinanceChartsKit

@Suite("A CSV file of candles")
struct CandleCSVTests {
    static func read(_ text: String, name: String = "prices.csv") throws -> CandleCSV {
        try CandleCSV(bytes: Array(text.utf8), name: name)
    }

    /// 2024-02-29 12:34:00 UTC, a leap day.
    static let noon = 1_709_210_040.0
    static let midnight = 1_709_164_800.0

    @Test(
        "reads every way to write a time",
        arguments: [
            ("1709210040", noon), ("1709210040.25", noon + 0.25), ("1709210040000", noon),
            ("1709210040500", noon + 0.5), ("1709210040000000", noon), ("1709210040000000000", noon),
            ("2024-02-29", midnight), ("2024/02/29", midnight), ("20240229", midnight), ("20240229 12:34", noon),
            ("2024-02-29 12:34", noon), ("2024-02-29 12:34:00", noon), ("2024-02-29 12:34:00.5", noon + 0.5),
            ("2024-02-29T12:34:00Z", noon), ("2024-02-29t12:34:00z", noon), ("2024-02-29T13:34:00+01:00", noon),
            ("2024-02-29T07:04:00-0530", noon), ("2024-02-29T12:34:00.123456789Z", noon + 0.123_456_789),
            ("2024-2-29 2:34", midnight + 9240), ("2024-02-29 12-PM", midnight + 43_200),
            ("2024-02-29 12-AM", midnight), ("2024-02-29 09-AM", midnight + 32_400), ("\"2024-02-29 12:34\"", noon),
        ] as [(String, Double)])
    func times(text: String, expected: Double) throws {
        let file = try Self.read("time,open,high,low,close\n\(text),1,2,0.5,1.5\n")
        #expect(file.candles.map(\.timestamp) == [expected])
    }

    @Test(
        "does not guess at what is no time",
        arguments: [
            "", "x", "11/5/2019 9:30", "2024-02-30", "2023-02-29", "2024-13-01", "2024-00-10", "2024-01-01 25:00",
            "2024-01-01 10:60", "2024-01-01 10", "2024-01-01T10:00+1", "2024-01-01 13-PM", "-5", "1e9", "nan",
            "2024-01-01 10:00:00.", "999999999999999999999", "2024-01-01 10:00 and more",
        ])
    func noTimes(text: String) throws {
        let error = try #require(throws: CandleCSVError.self) {
            try Self.read("open,time,high,low,close\n1,2024-01-01,2,0.5,1.5\n1,\(text),2,0.5,1.5\n")
        }
        #expect(error.file == "prices.csv" && error.line == 3 && error.column == 2)
        #expect(error.message.contains("“\(text)” is not a time"))
        #expect(error.description.contains("YYYY-MM-DD HH:MM"))
    }

    static let candle = Candle(timestamp: midnight, open: 1, high: 3, low: 0.5, close: 2, volume: 7)

    @Test(
        "finds its columns",
        arguments: [
            ("timestamp,open,high,low,close,volume\n1709164800,1,3,0.5,2,7", "the usual header"),
            ("Date,Open,Close,High,Low,Volume\n2024-02-29,1,2,3,0.5,7", "any order and case"),
            ("volume;CLOSE;low;HIGH;open;DateTime\n7;2;0.5;3;1;2024-02-29", "semicolons"),
            ("time\topen\thigh\tlow\tclose\tvolume\n2024-02-29\t1\t3\t0.5\t2\t7", "tabs"),
            ("Date,Open,High,Low,Close,Adj Close,Volume\n2024-02-29,1,3,0.5,2,99,7", "an unknown column"),
            ("date,symbol,open,high,low,close,volume_btc,volume\n2024-02-29,X,1,3,0.5,2,99,7", "similar names"),
            ("unix,date,open,high,low,close,volume\n1709164800,nonsense,1,3,0.5,2,7", "two times: the number"),
            ("date,time,open,high,low,close,volume\n2024-02-29,00:00,1,3,0.5,2,7", "date and time of day apart"),
            (
                "All times are UTC, https://example.com\ndate,open,high,low,close,volume\n2024-02-29,1,3,0.5,2,7",
                "prose first"
            ),
            (
                "# a comment\n\ndate,open,high,low,close,volume\n\n2024-02-29,1,3,0.5,2,7\n\n",
                "comments and blank lines"
            ),
            ("\u{FEFF}date,open,high,low,close,volume\r\n2024-02-29,1,3,0.5,2,7\r\n", "byte order mark, CR LF"),
            ("\"date\" , \"open\",high,low,close,volume\n \"2024-02-29\", 1 ,3,0.5,2,\"7\"", "quotes and blanks"),
            ("1709164800,1,3,0.5,2,7", "no header"), ("20240229 00:00,1,3,0.5,2,7,8,9", "no header, more columns"),
            ("2024-02-29 00:00:00,+1,3e0,5E-1,2.0,7.0", "every form of number"),
        ] as [(String, String)])
    func columns(text: String, why: String) throws {
        #expect(try Self.read(text).candles == [Self.candle])
    }

    @Test("has volume 0 where there is none")
    func noVolume() throws {
        #expect(try Self.read("date,open,high,low,close\n2024-02-29,1,3,0.5,2").candles[0].volume == 0)
        #expect(try Self.read("2024-02-29,1,3,0.5,2").candles[0].volume == 0)
    }

    @Test(
        "says file, line, column and what is allowed",
        arguments: [
            ("", nil, nil, "no candles"), ("\n\n# only this\n", nil, nil, "no candles"),
            ("date,open,high,low,close\n", nil, nil, "no candle"),
            ("date,open,high,low\n2024-02-29,1,3,0.5", 1, nil, "lacks close"),
            ("open,high,low,close\n1,3,0.5,2", 1, nil, "lacks timestamp"),
            ("hello\nworld\n", 1, 1, "neither a header nor a time"),
            ("2024-02-29,1,3,2\n", 1, nil, "at least 5"),
            ("date,open,high,low,close\n2024-02-29,1,3,0.5\n", 2, 5, "ends after 4"),
            ("date,open,high,low,close\n2024-02-29,1,3,x,2\n", 2, 4, "low is “x”; a number such as"),
            ("date,open,high,low,close\n2024-02-29,,3,1,2\n", 2, 2, "open is “”"),
            ("date,open,high,low,close\n2024-02-29,nan,3,1,2\n", 2, 2, "open is “nan”"),
            ("date,open,high,low,close\n2024-02-29,1e999,3,1,2\n", 2, 2, "open is “1e999”"),
            ("date;open;high;low;close\n2024-02-29;1,5;3;1;2\n", 2, 2, "open is “1,5”"),
            ("date,open,high,low,close,volume\n2024-02-29,1,3,0.5,2,-7\n", 2, 6, "0 or more"),
            ("date,open,high,low,close\n2024-02-29,1,3,0,2\n", 2, 4, "above 0"),
            ("date,open,high,low,close\n2024-02-29,1,1.5,0.5,2\n", 2, 3, "at least open, low and close"),
            ("date,open,high,low,close\n2024-02-29,1,3,1.25,2\n", 2, 4, "at most open and close"),
            ("0,1,3,0.5,2\n60000,1,3,0.5,2\n", 1, 1, "milliseconds since midnight"),
        ] as [(String, Int?, Int?, String)])
    func errors(text: String, line: Int?, column: Int?, message: String) throws {
        let error = try #require(throws: CandleCSVError.self) { try Self.read(text) }
        #expect(error.line == line)
        #expect(error.column == column)
        #expect(error.message.contains(message), "\(error)")
        #expect(error.description.hasPrefix("prices.csv"))
    }

    @Test("of a path that cannot be read, says why")
    func unreadable() throws {
        let folder = NSTemporaryDirectory()
        let missing = "\(folder)/candlewire-no-such-file.csv"
        func message(_ path: String) throws -> String {
            try #require(throws: CandleCSVError.self) { try CandleCSV(path: path) }.message
        }
        #expect(try message(missing).contains("no such file"))
        #expect(try message(folder).contains("directory"))
        let packed = "\(folder)/candlewire-\(UUID().uuidString).csv.gz"
        try Data([0x1F, 0x8B, 8, 0]).write(to: URL(fileURLWithPath: packed))
        defer { try? FileManager.default.removeItem(atPath: packed) }
        #expect(try message(packed).contains("gunzip"))
    }

    @Test("reads the day of small times from its name")
    func timeOfDay() throws {
        let text = "0,1,3,0.5,2,7\n60000,1,3,0.5,2,7\n86399000,1,3,0.5,2,7\n"
        for name in ["/data/2001-01-01/lean_x_2024-02-29.csv", "20240229_trade.csv", "minute_2024-02-29_quote.csv"] {
            let times = try Self.read(text, name: name).candles.map(\.timestamp)
            #expect(times == [Self.midnight, Self.midnight + 60, Self.midnight + 86_399])
        }
    }

    @Test("comes out ascending, of equal times the last line counts")
    func order() throws {
        let file = try Self.read("300,1,1,1,1\n2000000000,2,2,2,2\n1000000000,3,3,3,3\n2000000000,4,4,4,4\n")
        #expect(file.candles.map(\.timestamp) == [300, 1_000_000_000, 2_000_000_000])
        #expect(file.candles.map(\.open) == [1, 3, 4])
    }

    @Test(
        "knows its timeframe from the most common distance",
        arguments: [
            ([0, 60, 120, 180], .m1), ([0, 60, 120, 900, 960], .m1), ([0, 86_400, 172_800, 432_000], .d1),
            ([0, 604_800, 1_209_600], .w1), ([0, 2_678_400, 5_184_000, 7_862_400], .mo1), ([0, 420, 840], nil),
            ([0], nil),
            ([0, 60, 360], .m1), ([0, 3, 6, 7, 10], .s1), ([0, 3, 6, 10], nil),
        ] as [([Double], Timeframe?)])
    func timeframe(offsets: [Double], expected: Timeframe?) throws {
        let text = offsets.map { "\(Int(1_700_000_000 + $0)),1,1,1,1\n" }.joined()
        #expect(try Self.read(text).timeframe == expected)
    }

    @Test("of random bytes is an error, never a crash", arguments: 0..<64)
    func garbage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("0123456789-:/ ,;\t\r\n\"#.TZopenhighlowclosetimedate".utf8) + [0, 0xFF, 0xC3]
        for _ in 0..<50 {
            let bytes = (0..<random.below(400)).map { _ in alphabet[random.below(alphabet.count)] }
            let whole = Array("date,open,high,low,close\n".utf8) + bytes
            for text in [bytes, whole] {
                do {
                    let file = try CandleCSV(bytes: text, name: "x")
                    #expect(file.candles.allSatisfy { $0.high >= $0.low })
                } catch {
                    #expect(!error.message.isEmpty)
                }
            }
        }
    }
}
