import TestKit
import Testing

@testable import FinanceChartsKit

@Suite("The terminal painter")
struct TerminalPainterTests {
    static func series(_ candles: [Candle]) -> CandleSeries {
        var series = CandleSeries()
        series.replaceAll(with: candles)
        return series
    }

    /// A line without its escape sequences.
    static func plain(_ line: String) -> String {
        var text = ""
        var isEscape = false
        for character in line {
            if character == "\u{1B}" { isEscape = true }
            if !isEscape { text.append(character) }
            if isEscape, character.isLetter { isEscape = false }
        }
        return text
    }

    static let three = [
        Candle(timestamp: 1_700_000_400, open: 10, high: 14, low: 10, close: 12, volume: 4),
        Candle(timestamp: 1_700_000_460, open: 12, high: 17, low: 11, close: 16, volume: 8),
        Candle(timestamp: 1_700_000_520, open: 16, high: 16, low: 10, close: 11, volume: 2),
    ]

    static func lines(_ style: TerminalStyle) -> [String] {
        TerminalPainter(columns: 30, rows: 16, style: style, candleColumns: 4, precision: 1).lines(
            series(three), symbol: "X", timeframe: .m1, status: "LIVE", isLive: true, hints: "q quits")
    }

    @Test("without colours, rising bodies are light and falling ones dark")
    func plainPicture() {
        let expected = """
            X 1m  11.0 -31.25%  O 16.0
                             │      │
                            ░░░ ███ │ 16.0
                            ░░░ ███ │
                            ░░░ ███ │
                         ╷  ░░░ ███ │ 14.0
                         │  ░░░ ███ │
                         │  ░░░ ███ │
                        ░░░ ░░░ ███ │ 12.0
                        ░░░  │  ███ │
                        ░░░  ╵  ███ │ 11.0
                        ░░░      │  │ 10.0
                            ███
                        ███ ███ ▄▄▄

            ● LIVE                 q quits
            """
        let lines = Self.lines(TerminalStyle(hasColours: false, hasUnicode: true))
        #expect(lines.map(Self.plain).joined(separator: "\n") == expected)
        #expect(lines.joined().contains("\u{1B}[1mX"), "the symbol is bold, which is no colour")
        #expect(!lines.joined().contains("38;5"))
    }

    @Test("without Unicode it is ASCII")
    func ascii() {
        let lines = Self.lines(TerminalStyle(hasColours: false, hasUnicode: false, hasEscapes: false))
        #expect(lines[8] == "            +++ +++ ### | 12.0")
        #expect(lines[1] == "                 |      |")
        #expect(lines.joined().utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("in colours, bodies have half rows and each direction its own of the 256")
    func colours() {
        let lines = Self.lines(TerminalStyle())
        #expect(lines.joined().contains("\u{1B}[38;5;35m") && lines.joined().contains("\u{1B}[38;5;167m"))
        #expect(lines.joined().contains("▄") && lines.joined().contains("█") && !lines.joined().contains("░"))
        let price = "\u{1B}[38;5;231;48;5;124m 11.0"
        #expect(lines.contains { $0.contains(price) }, "the last price stands on a ground of its direction")
        #expect(lines.allSatisfy { !$0.contains("\u{1B}") || $0.hasSuffix("\u{1B}[0m") }, "no row colours the next one")
    }

    @Test("times stand under their bars")
    func times() throws {
        let painter = TerminalPainter(columns: 60, rows: 12, style: TerminalStyle(hasColours: false), candleColumns: 1)
        let lines = painter.lines(Self.series(walk(120, start: 1_699_999_200 + 1800)), symbol: "X", timeframe: .m1)
        // The 49 newest of the bars from 22:30 to 00:29, one a column.
        let row = Self.plain(lines[10])
        func column(_ label: String) throws -> Int {
            row.distance(from: row.startIndex, to: try #require(row.firstRange(of: label)).lowerBound)
        }
        #expect(try column("11-15") - column("23:50") == 10)
        #expect(try column("00:10") - column("11-15") == 10)
    }

    @Test(
        "labels of the time axis are as long as their step needs",
        arguments: [(5.0, "22:13:20"), (300, "22:13"), (86_400, "11-14"), (2_592_000, "2023-11")])
    func labels(step: Double, expected: String) {
        #expect(TerminalTime.label(1_700_000_000, step: step) == expected)
        #expect(TerminalTime.label(1_700_006_400, step: 300) == "11-15", "midnight is the day")
    }

    @Test("every size has its rows, none wider than the terminal", arguments: 0..<30 as Range<UInt64>)
    func sizes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let columns = random.below(200) + 1
            let rows = random.below(70) + 1
            let style = TerminalStyle(hasColours: random.below(2) == 0, hasUnicode: random.below(3) > 0)
            let painter = TerminalPainter(
                columns: columns, rows: rows, style: style, candleColumns: random.below(10), precision: random.below(12)
            )
            let candles = walk(random.below(300), timeframe: Timeframe.allCases[random.below(16)], seed: seed)
            let lines = painter.lines(
                Self.series(candles), symbol: "BTC-USD", timeframe: .m1, status: "LIVE", hints: "q quits")
            #expect(lines.count == (columns < 24 || rows < 6 ? 1 : rows))
            #expect(lines.allSatisfy { Self.plain($0).count <= columns })
        }
    }

    @Test("hostile bars and names draw something and no control characters")
    func hostile() {
        let painter = TerminalPainter(columns: 80, rows: 24)
        for candles in [
            [.at(60, 1e-300)], [.at(60, 1e300)], [.at(60, 1e-300), .at(120, 1e300)], [.at(60, 5), .at(1e11, 5)],
            [.at(60, 5, volume: 0)], [.at(60, 1e17, volume: 1e300)],
        ] as [[Candle]] {
            let lines = painter.lines(
                Self.series(candles), symbol: "\u{1B}]0;owned\u{07}\u{202E}株\n", timeframe: .mo1, status: "\u{9B}31m")
            #expect(lines.count == 24)
            #expect(Self.plain(lines[0]).hasPrefix("?]0;owned????"))
            let controls = lines.joined().unicodeScalars.filter {
                $0.value < 0x20 && $0.value != 0x1B || $0.value == 0x9B
            }
            #expect(controls.isEmpty)
        }
        #expect(Self.plain(painter.lines(CandleSeries(), symbol: "X", timeframe: .m1)[12]).contains("waiting for bars"))
    }

    @Test(
        "a style follows the environment",
        arguments: [
            (["LANG": "en_US.UTF-8"], true, true), (["LANG": "C"], true, false), ([:], true, false),
            (["LC_ALL": "C", "LANG": "de_DE.utf8"], true, false), (["LC_ALL": "", "LANG": "de_DE.utf8"], true, true),
            (["NO_COLOR": "1", "LANG": "C.UTF-8"], false, true), (["NO_COLOR": "", "LANG": "C.UTF-8"], true, true),
            (["TERM": "dumb", "LC_CTYPE": "C.UTF-8"], false, true),
        ] as [([String: String], Bool, Bool)])
    func environment(environment: [String: String], hasColours: Bool, hasUnicode: Bool) {
        let style = TerminalStyle(environment: environment)
        #expect(style.hasColours == hasColours && style.hasUnicode == hasUnicode)
        #expect(style.hasEscapes == (environment["TERM"] != "dumb"))
    }

    @Test("prices of the axis are round and inside the scale", arguments: 0..<20 as Range<UInt64>)
    func ticks(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let low = Double.random(in: 0.0001...100_000, using: &random)
        let scale = TerminalScale(low: low, high: low * Double.random(in: 1...3, using: &random), halves: 40)
        let ticks = scale.ticks(rows: 3)
        #expect(ticks.allSatisfy { $0 >= scale.low && $0 <= scale.high } && ticks.count <= 7)
        for (a, b) in zip(ticks, ticks.dropFirst()) { #expect(scale.half(a) / 2 - scale.half(b) / 2 >= 2) }
        #expect(scale.half(scale.high) == 0 && scale.half(scale.low) == 39)
    }
}
