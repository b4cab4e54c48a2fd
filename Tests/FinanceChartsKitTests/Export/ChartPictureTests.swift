import FinanceChartsKit
import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("A chart drawn into a file")
struct ChartPictureTests {
    static func set(_ fields: [(String, String)]) throws -> ChartPicture {
        var picture = ChartPicture()
        picture.width = 600
        picture.height = 400
        picture.pixelRatio = 1
        picture.bars = 50
        for (field, text) in fields { try picture.set(field, text) }
        return picture
    }

    static func list(_ fields: (String, String)...) throws -> DisplayList {
        try set(fields).list(walk(300, timeframe: .h1), symbol: "X", timeframe: .h1)
    }

    @Test("every choice of every field makes a picture of its own")
    func choices() throws {
        for field in ["series", "theme", "price_scale", "volume"] {
            let names = ChartPicture.choices(field)
            let pictures = try names.map { try Self.list((field, $0)).words }
            #expect(Set(pictures).count == names.count, "\(field)")
            #expect(
                pictures[field == "volume" ? 1 : 0] == (try Self.list().words), "\(field): \(names) has the usual one")
        }
        let gap = walk(30, timeframe: .h1) + walk(30, timeframe: .h1, start: 1_700_000_040 + 100 * 3600)
        let pictures = try ["bars", "time"].map {
            try Self.set([("time_scale", $0)]).list(gap, symbol: "X", timeframe: .h1).words
        }
        #expect(pictures[0] != pictures[1] && ChartPicture.choices("time_scale") == ["bars", "time"])
        #expect(try Self.list(("inverted", "true")) != Self.list(("inverted", "false")))
        #expect(try Self.list(("timezone", "Asia/Tokyo")) != Self.list(("timezone", "UTC")))
        #expect(try Self.list(("studies", "ema:20")) != Self.list(("studies", "sma:20")))
        #expect(try Self.list(("studies", "")) == Self.list())
        #expect(try Self.list(("price_range", "50:150")) != Self.list())
        #expect(try Self.list(("price_range", "50:150"), ("price_range", "auto")) == Self.list())
        #expect(try Self.list(("font_scale", "1.5")) != Self.list(("font_scale", "1")))
        #expect(try Self.list(("series", "baseline"), ("baseline", "101")) != Self.list(("series", "baseline")))
    }

    @Test("drawings and other symbols are in the picture, nothing of it selected")
    func more() throws {
        var picture = try Self.set([])
        let candles = walk(300, timeframe: .h1)
        let plain = picture.list(candles, symbol: "X", timeframe: .h1)
        let anchor = DrawingAnchor(time: candles[280].timestamp, price: candles[280].close)
        picture.drawings = [try #require(Drawing(.horizontalLine, [anchor]))]
        let drawn = picture.chart(candles, symbol: "X", timeframe: .h1)
        #expect(drawn.board.drawings.count == 1 && drawn.board.selection == nil)
        #expect(picture.list(candles, symbol: "X", timeframe: .h1) != plain)
        picture.drawings = []
        let other = walk(300, timeframe: .h1, seed: 8)
        picture.comparisons = (0..<12).map { ChartPicture.Comparison(symbol: "Y\($0)", candles: other) }
        let compared = picture.chart(candles, symbol: "X", timeframe: .h1)
        #expect(compared.comparisons.count == 8 && compared.panes[0].scale.kind == .percent)
    }

    @Test("as many of the newest bars are shown as are requested", arguments: [1, 10, 50, 200, 299, 0])
    func bars(count: Int) throws {
        let picture = try Self.set([("bars", "\(count)"), ("width", "1200")])
        let chart = picture.chart(walk(300), symbol: "X", timeframe: .m1)
        let shown = ChartPicture.shownBars(chart)
        #expect(count < 20 ? shown >= count : shown == (count == 0 ? 300 : count), "a bar is not wider than it may be")
        #expect(picture.chart([], symbol: "X", timeframe: .m1).count == 0)
    }

    @Test(
        "what is wrong is said with the field's name",
        arguments: [
            ("width", "99", "100 to 8000"), ("height", "1e9", "100 to 8000"), ("width", "100.5", "whole"),
            ("pixel_ratio", "nan", "0.5 to 8"), ("bars", "-1", "0 to 1000000"), ("series", "pie", "one of candles"),
            ("theme", "", "one of dark, light"), ("price_scale", "sqrt", "log"), ("inverted", "maybe", "true, false"),
            ("price_range", "2:1", "auto, or a lower"), ("price_range", "1:2:3", "auto, or a lower"),
            ("price_range", "nan:5", "60000:70000"), ("price_range", "x:1:2", "60000:70000"),
            ("baseline", "inf", "number"), ("font_scale", "9", "0.5 to 3"),
            ("volume", "left", "off, price, pane"), ("time_scale", "days", "one of bars, time"),
            ("timezone", "Mars/Olympus", "America/New_York"),
            ("studies", "ema:20,foo", "“foo” is not a valid study"), ("colour", "red", "one of width"),
        ])
    func refused(field: String, text: String, part: String) throws {
        let error = try #require(throws: ExportError.self) { try Self.set([(field, text)]) }
        #expect(error.description.contains(part), "\(error)")
        #expect(error.field == (text.contains("foo") ? "study" : field))
    }

    #if canImport(CCairo)
        static func encoded(_ format: ImageFormat) throws -> [UInt8] {
            try set([("studies", "ema:20,bollinger,rsi"), ("volume", "pane"), ("series", "area")])
                .encoded(walk(300), symbol: "X & <Y>", timeframe: .m1, as: format)
        }

        @Test(
            "prices above the baseline have the colour of rising ones, also upside down", arguments: ["false", "true"])
        func baseline(inverted: String) throws {
            var candles = walk(60)
            let last = candles[59].timestamp + 60
            candles.append(Candle(timestamp: last, open: 100, high: 103, low: 99, close: 102, volume: 1))
            for (level, isAbove) in [("60", true), ("140", false)] {
                let picture = try Self.set([
                    ("series", "baseline"), ("baseline", level), ("price_range", "50:150"), ("inverted", inverted),
                    ("volume", "off"),
                ])
                let list = picture.list(candles, symbol: "X", timeframe: .m1)
                let pixels = try CairoPainter(width: 600, height: 400).pixels(list)
                func count(_ colour: Colour) -> Int { pixels.count { $0 == 0xFF00_0000 | colour.rgba >> 8 } }
                // The dots of the newest price's line are rising in both.
                let (up, down) = (count(Theme.dark.up), count(Theme.dark.down))
                #expect(isAbove ? up > 200 && down == 0 : down > 200, "\(level): \(up) \(down)")
            }
        }

        @Test("PNG: its header and its chunks say what it is")
        func png() throws {
            let bytes = try Self.encoded(.png)
            #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
            #expect(number(16) == 600 && number(20) == 400)
            var at = 8
            var kinds: [String] = []
            while at < bytes.count {
                kinds.append(String(decoding: bytes[at + 4..<at + 8], as: UTF8.self))
                at += 12 + number(at)
            }
            #expect(at == bytes.count && kinds.first == "IHDR" && kinds.last == "IEND" && kinds.contains("IDAT"))
        }

        @Test("SVG: it is XML, as large as requested, with shapes in it")
        func svg() throws {
            final class Reader: NSObject, XMLParserDelegate {
                var elements: [String: Int] = [:]
                var size: [String?] = []
                func parser(
                    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
                    qualifiedName: String?, attributes: [String: String]
                ) {
                    elements[name, default: 0] += 1
                    if name == "svg" { size = [attributes["width"], attributes["height"], attributes["viewBox"]] }
                }
            }
            let reader = Reader()
            let parser = XMLParser(data: Data(try Self.encoded(.svg)))
            parser.delegate = reader
            #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
            #expect(reader.size[2] == "0 0 600 400" && reader.size[0]?.hasPrefix("600") == true)
            #expect(reader.elements["path", default: 0] > 20)
        }

        @Test("PDF: one page of the size requested")
        func pdf() throws {
            let bytes = try Self.encoded(.pdf)
            let text = String(decoding: bytes, as: Unicode.ASCII.self)
            #expect(text.hasPrefix("%PDF-1.") && text.contains("%%EOF"))
            let box = try #require(text.firstMatch(of: /\/MediaBox \[ *([0-9. ]+?) *\]/))
            #expect(box.1.split(separator: " ").compactMap { Double($0) } == [0, 0, 600, 400])
            #expect(text.matches(of: /\/Type \/Page\b[^s]/).count == 1)
        }

        @Test("the same picture is the same bytes")
        func reproducible() throws {
            #expect(try Self.encoded(.png) == Self.encoded(.png))
        }
    #endif
}
