import FinanceChartsKit
import TestKit
import Testing

@Suite("What a picture costs")
struct PaintCostTests {
    private static let red = Colour(rgb: 0xFF0000)

    private static func list(_ draw: (inout DisplayList) -> Void) -> DisplayList {
        var list = DisplayList()
        draw(&list)
        return list
    }

    private static func cost(_ draw: (inout DisplayList) -> Void) throws(TooComplex) -> PaintCost {
        try PaintCost(list(draw), width: 800, height: 600)
    }

    private static func write(_ text: String, size: Double = 12, bold: Bool = false, in list: inout DisplayList) {
        var buffer = TextBuffer()
        buffer.append(utf8: Array(text.utf8))
        list.text(red, x: 0, y: 0, size: size, align: .left, bold: bold, buffer)
    }

    private static func fillPicture(_ list: inout DisplayList) {
        list.fillRect(red, x: 0, y: 0, width: 800, height: 600)
    }

    private static func dots(_ count: Int, in list: inout DisplayList) {
        list.beginRects(red)
        for at in 0..<count { list.rect(x: Double(at % 800), y: Double(at / 800), width: 1, height: 1) }
        list.end()
    }

    @Test("counts rectangles, lines, corners and clips")
    func shapes() throws {
        let rects = try Self.cost { Self.dots(100, in: &$0) }
        #expect(rects.shapes == 701 && rects.points == 0 && rects.dashes == 0 && rects.texts == 0)
        let line = try Self.cost { list in
            list.beginPolyline(Self.red, width: 1)
            for x in 0..<50 { list.point(x: Double(x), y: 0) }
            list.end()
            list.clip(x: 0, y: 0, width: 5, height: 5)
            list.unclip()
        }
        #expect(line.points == 150 && line.shapes == 8 + 9 + 1)
        let polygon = try Self.cost { list in
            list.beginPolygon(Self.red)
            for x in 0..<50 { list.point(x: Double(x), y: 0) }
            list.end()
        }
        #expect(polygon.points == 150)
        #expect(polygon.words == 102)
    }

    @Test(
        "counts dashes by the length of the line; those finer than a pixel are none",
        arguments: [
            (1.0, 1.0, 50), (0.6, 0.4, 90), (2, 3, 20), (0.001, 0.001, 0), (0.5, 0.49, 0), (0.001, 4.5, 20), (0, 0, 0),
            (5, 0, 0), (0, 5, 0), (-1, 5, 0), (.nan, 1, 0), (.infinity, 1, 0),
        ] as [(Double, Double, Int)])
    func dashes(on: Double, off: Double, units: Int) throws {
        let separate = try Self.cost { list in
            list.beginSegments(Self.red, width: 1, dashOn: on, dashOff: off)
            for y in [0.0, 1, 2, 3] { list.segment(x1: 0, y1: y, x2: 60, y2: y + 80) }
            list.end()
        }
        let joined = try Self.cost { list in
            list.beginPolyline(Self.red, width: 1, dashOn: on, dashOff: off)
            for (x, y) in [(0.0, 0.0), (60, 80), (0, 0), (100, 0), (0, 0)] { list.point(x: x, y: y) }
            list.end()
        }
        // Both round down.
        #expect(separate.dashes == units && (0...1).contains(joined.dashes - 2 * units))
    }

    @Test("a line beyond the picture has the dashes that a painter draws, and numbers that are none harm nothing")
    func farDashes() throws {
        func dashes(_ x: Double) throws -> Int {
            try Self.cost { list in
                list.beginSegments(Self.red, width: 1, dashOn: 1, dashOff: 1)
                list.segment(x1: -x, y1: 0, x2: x, y2: 0)
                list.end()
            }.dashes
        }
        #expect(try dashes(1e30) == 131_072 / 2 / 4)
        #expect(try dashes(.nan) == 0)
    }

    @Test("counts an outline for each letter of each font, once")
    func texts() throws {
        let once = try Self.cost { Self.write("AAB", in: &$0) }
        #expect(once.texts == 20 + 50 + 10 + 50)
        let twice = try Self.cost { list in
            for _ in 0..<2 { Self.write("AAB", in: &list) }
        }
        #expect(twice.texts == once.texts + 20 + 30)
        let fonts = try Self.cost { list in
            Self.write("AAB", in: &list)
            Self.write("AAB", size: 13, in: &list)
            Self.write("AAB", bold: true, in: &list)
        }
        #expect(fonts.texts == 3 * once.texts)
    }

    @Test("shapes cost more the more there are, until one fills the picture")
    func scattered() throws {
        #expect(try Self.cost { Self.dots(1000, in: &$0) }.scattered == 2941)
        #expect(try Self.cost { Self.dots(2000, in: &$0) }.scattered == 11_764)
        let covered = try Self.cost { list in
            Self.fillPicture(&list)
            Self.dots(2000, in: &list)
        }
        #expect(covered.scattered == 0)
        let clipped = try Self.cost { list in
            list.clip(x: 0, y: 0, width: 9, height: 9)
            Self.fillPicture(&list)
            Self.dots(2000, in: &list)
        }
        #expect(clipped.scattered == 11_776)
    }

    @Test("names the limit that is exceeded and the word; just below it nothing is")
    func limits() throws {
        let filled = Self.list(Self.fillPicture)
        let start = filled.words.count
        let cases: [(name: String, most: Int, start: Int, draw: (Int, inout DisplayList) -> Void)] = [
            ("units", 142_855, 0, { Self.dots($0, in: &$1) }),
            (
                "units", 333_328, 0,
                { count, list in
                    list.beginPolyline(Self.red, width: 1)
                    for at in 0..<count { list.point(x: Double(at % 9), y: 0) }
                    list.end()
                }
            ),
            (
                "size or weight", 64, 63 * 8,
                { count, list in
                    for size in 1...count { Self.write("A", size: Double(size), in: &list) }
                }
            ),
            ("bytes", 1000, 0, { Self.write(String(repeating: "A", count: $0), in: &$1) }),
        ]
        for (name, most, offset, draw) in cases {
            let allowed = try Self.cost { list in
                list = filled
                draw(most, &list)
            }
            #expect(allowed.units <= PaintCost.maxUnits)
            let error = #expect(throws: TooComplex.self, "\(name) \(most)") {
                try Self.cost { list in
                    list = filled
                    draw(most + most / 50 + 1, &list)
                }
            }
            let sentence = error?.description ?? ""
            let word = name == "size or weight" ? start + offset + 8 : start
            #expect(sentence.contains(name) && sentence.contains("word \(word)"), "\(sentence)")
        }
    }

    @Test("any words have a cost or an error", arguments: 0..<40)
    func garbage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var words: [UInt32] = []
            for _ in 0..<random.below(12) {
                let length = 1 + random.below(24)
                words.append(UInt32(random.below(10)) | UInt32(length) << 8)
                for _ in 1..<max(length, 2) { words.append(UInt32(truncatingIfNeeded: random.next())) }
            }
            do {
                let cost = try PaintCost(DisplayList(words: words), width: 64, height: 64)
                #expect(cost.words <= words.count && cost.units >= 0)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test("a wide screen's chart with studies costs less than half of what is allowed")
    func realChart() throws {
        var picture = ChartPicture()
        picture.width = 3840
        picture.height = 2160
        picture.pixelRatio = 1
        picture.bars = 4000
        try picture.set("studies", "ema:20,ema:50,bollinger,rsi,macd,vwap")
        var random = SeededGenerator(seed: 18)
        var candles: [Candle] = []
        var price = 100.0
        for minute in 0..<5000 {
            let next = price + Double(random.below(200) - 100) / 100
            candles.append(
                Candle(
                    timestamp: 60 * Double(minute), open: price, high: max(price, next) + 0.5,
                    low: min(price, next) - 0.5, close: next, volume: Double(1 + random.below(50))))
            price = next
        }
        let list = picture.list(candles, symbol: "BTC-USD", timeframe: .m1)
        let cost = try PaintCost(list, width: picture.pixelWidth, height: picture.pixelHeight)
        // Its first command is the ground.
        #expect(cost.scattered == 0)
        #expect(cost.words == list.words.count)
        #expect((10_000...500_000).contains(cost.units), "\(cost.units)")
    }

    #if os(Linux)
        @Test("the painter draws dashes finer than a pixel as a solid line", arguments: [ImageFormat.pdf, .png])
        func solid(format: ImageFormat) throws {
            func image(_ on: Double, _ off: Double) throws -> [UInt8] {
                let list = Self.list { list in
                    list.beginSegments(Self.red, width: 1, dashOn: on, dashOff: off)
                    list.segment(x1: 0, y1: 0, x2: 60, y2: 80)
                    list.end()
                }
                var bytes = try CairoPainter(width: 80, height: 80).image(list, as: format)
                // A PDF has the second in which it was made.
                if format == .pdf, let date = bytes.firstRange(of: Array("/CreationDate (".utf8)) {
                    bytes.removeSubrange(date.upperBound..<date.upperBound + 16)
                }
                return bytes
            }
            let line = try image(0, 0)
            #expect(try image(0.001, 0.001) == line)
            #expect(try image(0.4, 0.5) == line)
            #expect(try image(2, 2) != line)
        }

        @Test("the painter keeps to its budget", arguments: ImageFormat.allCases)
        func budget(format: ImageFormat) throws {
            let list = Self.list { Self.dots(10_000, in: &$0) }
            let painter = try CairoPainter(width: 800, height: 600)
            let size = try painter.image(list, as: format).count
            let same = try painter.image(list, as: format, within: PaintBudget(maxBytes: size + 100))
            #expect(abs(same.count - size) < 100)
            let small = #expect(throws: PaintError.self) {
                try painter.image(list, as: format, within: PaintBudget(maxBytes: size / 2))
            }
            #expect(small?.reason == .tooManyBytes && small?.description.contains("\(size / 2)") == true)
            let stopped = #expect(throws: PaintError.self) {
                try painter.image(list, as: format, within: PaintBudget { true })
            }
            #expect(stopped?.reason == .stopped)
        }
    #endif
}
