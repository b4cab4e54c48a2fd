import FinanceChartsKit
import Foundation
import MarketModel
import Testing

@Suite("A table that is imported")
struct CSVImportTests {
    struct Read {
        var candles: [Candle] = []
        var trades: [Tick] = []
        var rejected: [(line: Int, message: String, text: String)] = []
        var prose: [String] = []
        var doubleTimes = 0
    }

    /// - Parameter piece: how many bytes come at a time.
    static func read(
        _ text: String, _ format: CSVImportFormat, name: String = "prices.csv", piece: Int = .max
    ) throws -> Read {
        var reader = CSVImportReader(format, name: name)
        var result = Read()
        func record(_ row: CSVImportRow) {
            switch row.content {
            case .candle(let candle): result.candles.append(candle)
            case .trade(let trade): result.trades.append(trade)
            case .rejected(let error): result.rejected.append((row.line, error.message, row.text))
            }
        }
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: min(piece, max(bytes.count, 1))) {
            try reader.read(bytes[start..<min(start + min(piece, bytes.count), bytes.count)], record)
        }
        try reader.finish(record)
        result.prose = reader.prose
        result.doubleTimes = reader.doubleTimes
        return result
    }

    static func minutes(_ change: (inout CSVImportFormat) -> Void = { _ in }) -> CSVImportFormat {
        var format = CSVImportFormat(.candles(.m1))
        change(&format)
        return format
    }

    /// 2024-02-29 12:34:00 UTC.
    static let noon = 1_709_210_040.0

    // MARK: Times

    @Test(
        "is read with the format of its times",
        arguments: [
            ("s", "1709210040"), ("ms", "1709210040000"), ("us", "1709210040000000"), ("ns", "1709210040000000000"),
            ("auto", "1709210040000"), ("auto", "20240229 12:34"), ("auto", "2024-02-29T13:34:00+01:00"),
            ("rfc3339", "2024-02-29T12:34:00Z"), ("YYYYMMDD HH:MM", "20240229 12:34"),
            ("M/D/YYYY H:MM", "2/29/2024 12:34"), ("D.M.YYYY H:MM", "29.2.2024 12:34"),
            ("YYYY-MM-DD hh:MM AM", "2024-02-29 12:34 PM"), ("M/D/YY h:MM:SS AM", "2/29/24 12:34:00 pm"),
            ("YYYY-MM-DDTHH:MM:SSZ", "2024-02-29T14:34:00+02:00"), ("YYYYMMDDHHMMSS", "20240229123400"),
        ])
    func formats(format: String, text: String) throws {
        let read = try Self.read(
            "\(text),1,3,0.5,2,7\n", Self.minutes { $0.timeFormat = CSVTimeFormat(format) ?? .automatic })
        #expect(read.candles == [Candle(timestamp: Self.noon, open: 1, high: 3, low: 0.5, close: 2, volume: 7)])
    }

    @Test("names no time format that says no day", arguments: ["", "HH:MM", "YYYY-MM", "q", "YYYY-MM-DD W", "5"])
    func badFormats(text: String) {
        #expect(CSVTimeFormat(text) == nil)
    }

    @Test(
        "is read by the clock it was written by",
        arguments: [
            ("America/New_York", 17.0), ("UTC", 12.0), ("-05:00", 17.0), ("+0530", 6.5), ("UTC-5", 17.0),
            ("Asia/Tokyo", 3.0),
        ])
    func zones(zone: String, hour: Double) throws {
        let zone = try #require(CSVZone(zone))
        let read = try Self.read("2024-02-29 12:00,1,3,0.5,2\n", Self.minutes { $0.zone = zone })
        #expect(read.candles.map(\.timestamp) == [1_709_164_800 + hour * 3600])
        // What says its own distance from UTC needs no zone.
        let own = try Self.read("2024-02-29T12:00:00Z,1,3,0.5,2\n", Self.minutes { $0.zone = zone })
        #expect(own.candles.map(\.timestamp) == [1_709_164_800 + 43_200])
    }

    @Test("knows no zone of its own making", arguments: ["", "Mars/Base", "+25:00", "-5:99", "5", "+"])
    func badZones(text: String) {
        #expect(CSVZone(text) == nil)
    }

    @Test("has hours that clocks showed twice placed in order, and none that they skipped", arguments: [false, true])
    func daylight(isNewestFirst: Bool) throws {
        // Set back at 06:00 UTC on 2024-11-03, forward at 07:00 UTC on 2024-03-10.
        let walls = ["2024-11-03 00:00", "2024-11-03 01:00", "2024-11-03 01:00", "2024-11-03 02:00"]
        let rows = (isNewestFirst ? walls.reversed() : walls).map { "\($0),1,3,0.5,2\n" }.joined()
        var format = CSVImportFormat(.candles(.h1))
        format.zone = try #require(CSVZone("America/New_York"))
        let read = try Self.read(rows, format)
        let first = 1_730_606_400.0
        let expected = (0..<4).map { first + Double($0) * 3600 }
        #expect(read.candles.map(\.timestamp) == (isNewestFirst ? expected.reversed() : expected))
        #expect(read.doubleTimes == 2)

        let skipped = try Self.read("2024-03-10 01:00,1,3,0.5,2\n2024-03-10 02:00,1,3,0.5,2\n", format)
        #expect(skipped.candles.count == 1)
        #expect(skipped.rejected.first?.message.contains("set forward over it") == true)
    }

    @Test("has trades of such hours placed in order: many at one time, and some a little late")
    func daylightTrades() throws {
        var format = CSVImportFormat(.trades)
        format.zone = try #require(CSVZone("America/New_York"))
        // 00:59, 01:00 twice, 01:30, a trade that is 20 s late, 01:59:59, and the same hour again.
        let walls = [
            "00:59:30", "00:59:20", "01:00:00", "01:00:00", "01:30:00", "01:29:40", "01:59:59", "01:59:59", "01:00:00",
            "01:00:00", "01:30:00", "01:59:59", "01:59:30", "02:00:00",
        ]
        let read = try Self.read(walls.map { "2024-11-03 \($0),5,1\n" }.joined(), format)
        // 00:00 in New York.
        let midnight = 1_730_606_400.0
        let expected: [Double] = [
            3570, 3560, 3600, 3600, 5400, 5380, 7199, 7199, 7200, 7200, 9000, 10_799, 10_770, 10_800,
        ]
        #expect(read.trades.map { $0.timestamp - midnight } == expected)
    }

    @Test("a daily candle belongs to the date that is written, in whatever zone")
    func days() throws {
        var format = CSVImportFormat(.candles(.d1))
        format.zone = try #require(CSVZone("America/New_York"))
        let read = try Self.read("20240229 00:00,1,3,0.5,2\n", format)
        #expect(read.candles.map(\.timestamp) == [1_709_164_800])
    }

    @Test("milliseconds since midnight take their day from the file's name or the request")
    func midnight() throws {
        let row = "60000,130000,130100,129900,130000,5\n"
        var format = Self.minutes { $0.priceScale = 10_000 }
        let named = try Self.read(row, format, name: "/data/20240229_spy.csv")
        #expect(named.candles.map(\.timestamp) == [1_709_164_860])
        #expect(named.candles.first?.high == 13.01)
        format.day = CivilDate(year: 2024, month: 3, day: 1)
        #expect(try Self.read(row, format).candles.map(\.timestamp) == [1_709_251_260])
        format.day = nil
        let error = #expect(throws: CandleCSVError.self) { try Self.read(row, format) }
        #expect(error?.message.contains("--date") == true)
    }

    // MARK: Columns

    @Test(
        "has its columns where they are said to be",
        arguments: [
            ("time=1,open=2,close=3,high=4,low=5", "2024-02-29 12:34,1,2,3,0.5,7\n"),
            (
                "volume=volume_btc",
                "date,symbol,open,high,low,close,volume_btc,volume\n2024-02-29 12:34,X,1,3,0.5,2,7,99\n"
            ),
            ("time=Zeit,open=O,high=H,low=L,close=C,volume=V", "V;Zeit;O;H;L;C\n7;2024-02-29 12:34;1;3;0.5;2\n"),
            ("time=date,clock=time", "date,time,open,high,low,close,volume\n2024-02-29,12:34,1,3,0.5,2,7\n"),
            (
                "time=1,open=2,high=3,low=4,close=5,volume=6",
                "Datum;Auf;Hoch;Tief;Zu;Menge\n2024-02-29 12:34;1;3;0.5;2;7\n"
            ),
        ])
    func columns(choice: String, text: String) throws {
        let choice = try #require(CSVColumnChoice(choice))
        let read = try Self.read(text, Self.minutes { $0.columns = choice })
        #expect(read.candles == [Candle(timestamp: Self.noon, open: 1, high: 3, low: 0.5, close: 2, volume: 7)])
    }

    @Test("can be without volume")
    func noVolume() throws {
        let quotes = "2024-02-29 12:34,1,3,0.5,2,0.1,1.1,3.1,0.6,2.1,0.1\n"
        let read = try Self.read(quotes, Self.minutes { $0.columns = CSVColumnChoice("volume=none") ?? .init() })
        #expect(read.candles.map(\.volume) == [0])
    }

    @Test(
        "chooses no column twice or nameless",
        arguments: ["", "open", "open=", "open=1,open=2", "middle=3", "open=0", "open=99999", "=1"])
    func badColumns(text: String) {
        #expect(CSVColumnChoice(text) == nil)
    }

    @Test("says which column its header lacks")
    func missing() {
        let error = #expect(throws: CandleCSVError.self) {
            try Self.read("date,open,high,close\n2024-02-29,1,3,2\n", Self.minutes())
        }
        #expect(error?.line == 1)
        #expect(error?.message.contains("lacks low") == true)
    }

    // MARK: Bad rows

    @Test("reports each bad row with its line and reason, and keeps the others")
    func badRows() throws {
        let text = """
            Made by hand,https://example.com
            timestamp,open,high,low,close,volume
            1709210040,1,3,0.5,2,7

            1709210100,1,2,0.5,3,7
            1709210160,1,3,0.5,x,7
            # a remark
            1709210220,1,3
            soon,1,3,0.5,2,7
            1709210281,1,3,0.5,2,7
            1709210340,1,3,0,2,7
            1709210400,1,3,0.5,2,-7
            1709210460,1,3,0.5,nan,7
            -60,1,3,0.5,2,7
            1709210520,1,3,0.5,2,7
            """
        let read = try Self.read(text, Self.minutes { $0.timeFormat = .seconds })
        #expect(read.candles.map(\.timestamp) == [Self.noon, Self.noon + 480])
        #expect(read.prose == ["Made by hand,https://example.com"])
        let found = read.rejected.map { "\($0.line): \($0.message)" }
        #expect(read.rejected.map(\.line) == [5, 6, 8, 9, 10, 11, 12, 13, 14])
        #expect(found[0].contains("high is 2.0; it is at least open, low and close"))
        #expect(found[1].contains("close is “x”; a number such as 67234.5"))
        #expect(found[2].contains("ends after 3 of at least 6 columns"))
        #expect(found[3].contains("“soon” is not a time as s has it"))
        #expect(found[4].contains("2024-02-29 12:38:01 UTC, where no 1m candle begins"))
        #expect(found[5].contains("low is 0.0; prices are above 0"))
        #expect(found[6].contains("volume is -7.0"))
        #expect(found[7].contains("close is “nan”"))
        #expect(found[8].contains("between 1970 and 5138"))
        #expect(read.rejected[3].text == "soon,1,3,0.5,2,7")
    }

    @Test("that is no table says what one is", arguments: ["", "\n\n# nothing\n", "hello\nworld\nand more\n"])
    func noTable(text: String) {
        let error = #expect(throws: CandleCSVError.self) { try Self.read(text, Self.minutes()) }
        #expect(error?.file == "prices.csv")
    }

    @Test("whatever a file holds, its sentences do nothing to a terminal, and end")
    func sentences() throws {
        let bad = "\u{1B}[2J\u{7}" + String(repeating: "9", count: 5000)
        let text = "1709210040,1,3,0.5,2\n\(bad),1,3,0.5,2\n1709210100,\(bad),3,0.5,2\n"
        let read = try Self.read(text, Self.minutes())
        #expect(read.rejected.count == 2)
        for row in read.rejected {
            #expect(!row.message.contains("\u{1B}") && row.message.contains("“[2J999") && row.message.count < 500)
        }
        let error = #expect(throws: CandleCSVError.self) { try Self.read("\(bad)\n", Self.minutes()) }
        #expect(error?.description.contains("\u{1B}") == false && (error?.description.count ?? 0) < 1000)
    }

    @Test("with a line that never ends is given up")
    func endless() {
        let error = #expect(throws: CandleCSVError.self) {
            try Self.read(String(repeating: "1", count: 1_100_000), Self.minutes(), piece: 100_000)
        }
        #expect(error?.message.contains("longer than") == true)
    }

    @Test("is read the same in whatever pieces it comes", arguments: [1, 2, 3, 7, 64])
    func pieces(piece: Int) throws {
        var text = "\u{FEFF}time;open;high;low;close;volume\r\n"
        for minute in 0..<200 {
            text += "\(1_709_210_040 + minute * 60);1;3;0.5;2;\(minute)\(minute % 3 == 0 ? "\r" : "\r\n")"
        }
        text += "\"1709300040\";1;3;0.5;2;\"7\""
        let whole = try Self.read(text, Self.minutes())
        let parts = try Self.read(text, Self.minutes(), piece: piece)
        #expect(whole.candles.count == 201 && whole.rejected.isEmpty)
        #expect(parts.candles == whole.candles)
    }

    @Test("of trades has time, price and volume")
    func trades() throws {
        var format = CSVImportFormat(.trades)
        let read = try Self.read("1709210040.5,15.5,0.25,ANY\n1709210041,-1,2\n1709210042,15.75\n", format)
        #expect(read.trades == [Tick(timestamp: 1_709_210_040.5, price: 15.5, volume: 0.25)])
        #expect(read.rejected.map(\.line) == [2, 3])
        format.columns = CSVColumnChoice("volume=none") ?? .init()
        #expect(try Self.read("time,price,side\n1709210042,15.75,b\n", format).trades.map(\.volume) == [0])
    }

    @Test("of a known day's trades has its milliseconds where they look like dates, too")
    func dateLikeMilliseconds() throws {
        let rows = "19040102,1.5\n19040103,1.6\n20140505,1.7\n20140505.5,1.8\n2014-05-05 20:00:00,1.9\n"
        var format = CSVImportFormat(.trades)
        // 2014-05-05 00:00 UTC.
        let midnight = 1_399_248_000.0
        let expected = [19_040.102, 19_040.103, 20_140.505, 20_140.5055, 72_000].map { midnight + $0 }
        #expect(try Self.read(rows, format, name: "eurusd_2014-05-05.csv").trades.map(\.timestamp) == expected)
        format.day = CivilDate(year: 2014, month: 5, day: 5)
        #expect(try Self.read(rows, format).trades.map(\.timestamp) == expected)
        // Where no day is known, they are what they can be.
        format.day = nil
        let date = try Self.read("20140505,1.7\n", format)
        #expect(date.trades.map(\.timestamp) == [midnight])
    }

    // MARK: Writing

    @Test(
        "is written so that reading it gives the same candles",
        arguments: [
            ("s", "UTC"), ("ms", "UTC"), ("us", "Asia/Tokyo"), ("ns", "UTC"), ("rfc3339", "America/New_York"),
            ("YYYY-MM-DD HH:MM:SS", "America/New_York"), ("M/D/YYYY h:MM AM", "Europe/Berlin"),
            ("YYYYMMDD HH:MM", "-05:00"),
        ])
    func roundTrip(format: String, zone: String) throws {
        var table = CandleTable(timeFormat: try #require(CSVTimeFormat(format)))
        table.zone = try #require(CSVZone(zone))
        // Through the hours in which New York and Berlin set their clocks back.
        let candles = (0..<1500).map { index in
            let price = 0.1 * Double(index + 1)
            return Candle(
                timestamp: 1_729_900_800 + 900 * Double(index), open: price, high: price * 1.0000001, low: price / 3,
                close: price, volume: Double(index) * 1e-7)
        }
        let text = CandleTable.header + table.text(candles)
        var reading = CSVImportFormat(.candles(.m15))
        reading.timeFormat = table.timeFormat
        reading.zone = table.zone
        let read = try Self.read(text, reading)
        #expect(read.rejected.isEmpty)
        #expect(read.candles == candles)
        let again = CandleTable.header + table.text(read.candles)
        #expect(again == text)
    }
}
