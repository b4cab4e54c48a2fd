import FinanceChartsKit
import Testing

@Suite("Bars and studies as CSV")
struct BarsCSVTests {
    static func series(_ candles: [Candle]) -> CandleSeries {
        var series = CandleSeries()
        series.replaceAll(with: candles)
        return series
    }

    @Test("the reader of CSV files gets the same bars back, to the last digit")
    func roundTrip() throws {
        let candles = walk(300) + [.at(1_700_100_000.25, 0.1 + 0.2, volume: 1e-7), .at(1_700_100_060, 1e17)]
        let text = BarsCSV.text(Self.series(candles), studies: [StudySettings(.rsi), StudySettings(.macd)])
        #expect(try CandleCSV(bytes: Array(text.utf8), name: "x.csv").candles == candles)
    }

    @Test("a study has a column for each output, empty before there are enough bars")
    func studies() throws {
        let candles = walk(60)
        let series = Self.series(candles)
        let wanted = [
            StudySettings(.ema, parameters: [20]), StudySettings(.bollinger),
            StudySettings(.ema, parameters: [5], source: .hl2),
        ]
        let lines = BarsCSV.text(series, studies: wanted).split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.count == 62 && lines.last == "")
        let header = lines[0].split(separator: ",").map(String.init)
        #expect(header[..<7] == ["timestamp", "open", "high", "low", "close", "volume", "ema_20"])
        #expect(header.last == "ema_5_hl2" && header.count == 8 + StudyKind.bollinger.outputs.count)
        #expect(header[7].hasPrefix("bollinger_20_2_"))
        var ema = StudyColumns(wanted[0])
        ema.rebuild(series)
        for (index, line) in lines.dropFirst().dropLast().enumerated() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            #expect(fields.count == header.count)
            let value = ema.value(output: 0, at: index)
            #expect(value.isNaN ? fields[6] == "" : Double(fields[6]) == value, "no value before 20 bars")
        }
        #expect(lines[1].contains(",,"))
    }

    @Test("the newest bars alone have the studies of all bars")
    func newest() {
        let series = Self.series(walk(100))
        let all = BarsCSV.text(series, studies: [StudySettings(.rsi)]).split(separator: "\r\n")
        let some = BarsCSV.text(series, studies: [StudySettings(.rsi)], newest: 10).split(separator: "\r\n")
        #expect(some == [all[0]] + all.suffix(10))
        #expect(BarsCSV.text(series, newest: 0).split(separator: "\r\n").count == 1)
        #expect(BarsCSV.text(series, newest: -5) == BarsCSV.text(CandleSeries()))
    }

    @Test("a study's notation is read back", arguments: StudyKind.allCases)
    func notation(kind: StudyKind) throws {
        let usual = StudySettings(kind)
        #expect(try StudyNotation.parse("\(kind.identifier)") == usual)
        #expect(try StudyNotation.parse(StudyNotation.text(usual)) == usual)
        if kind.defaultSource != nil {
            var other = usual
            other.source = .ohlc4
            #expect(try StudyNotation.parse(StudyNotation.text(other)) == other)
        }
        #expect(Set(BarsCSV.columnNames(usual)).count == kind.outputs.count)
        #expect(StudyNotation.help.contains("\(kind.identifier)"))
    }

    @Test(
        "a study that is none says what it may be",
        arguments: [
            ("", "one of sma"), ("foo", "“foo” is not a valid study"), ("rsi:0", "whole number from"),
            ("rsi:1.5", "whole number"),
            ("rsi:x", "“x”"), ("rsi:14:14:14", "no more parts"), ("rsi:nan", "“nan”"), ("rsi:", "“”"),
        ])
    func refused(text: String, message: String) throws {
        let error = try #require(throws: ExportError.self) { try StudyNotation.parse(text) }
        #expect(error.field == "study" && error.description.contains(message), "\(error)")
    }
}
