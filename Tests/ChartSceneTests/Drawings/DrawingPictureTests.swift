import MarketModel
import Testing

@testable import ChartScene

@Suite("Pictures of drawings")
struct DrawingPictureTests {
    @Test("each kind is drawn as recorded, with its handles", arguments: DrawingKind.allCases)
    func golden(kind: DrawingKind) throws {
        var view = DrawingFixture.view(bars: 40, ratio: 2)
        view.board.add(DrawingFixture.line(kind))
        view.draw()
        try expectGolden(view.overlay, "drawing-\(kind.name)")
    }

    @Test("a begun drawing is shown with the anchor that follows the pointer")
    func begun() throws {
        var view = DrawingFixture.view()
        view.board.setTool(.rectangle)
        _ = view.pressDrawing(x: 200, y: 200)
        view.releaseDrawing(x: 200, y: 200)
        view.draw()
        let before = view.overlay
        view.moveDrawing(x: 300, y: 250)
        view.draw()
        #expect(view.overlay != before && view.board.drawings.isEmpty)
    }

    @Test("drawings off screen leave no shape, and none leaves the plot by more than a margin")
    func culled() throws {
        var view = DrawingFixture.view()
        view.draw()
        let empty = view.overlay.words.count
        for kind in DrawingKind.allCases where kind != .horizontalLine && kind != .ray {
            let anchors = (0..<kind.anchorCount).map {
                DrawingAnchor(time: DrawingFixture.start - 1e6 - Double($0) * 3000, price: 110 + Double($0) * 10)
            }
            view.board.add(try #require(Drawing(kind, anchors, text: "far".utf8)))
        }
        view.board.select(nil)
        view.draw()
        // The two clips around the drawings.
        #expect(view.overlay.words.count == empty + 10)
        for price in [1e15, -1e15, 0.0] {
            let anchors = [
                DrawingAnchor(time: 0, price: price), DrawingAnchor(time: Calendar.latest, price: 120),
            ]
            view.board.add(try #require(Drawing(.ray, anchors)))
            view.board.add(try #require(Drawing(.trendLine, anchors)))
            view.board.add(try #require(Drawing(.rectangle, anchors)))
            view.board.add(try #require(Drawing(.fibonacci, anchors)))
        }
        view.draw()
        for command in view.overlay.commands where command.opcode == .segments {
            for index in 4..<command.operands.count {
                #expect(command.operands.number(index).magnitude < 1000)
            }
        }
    }

    @Test(
        "a measure shows price, percent, bars and time",
        arguments: [
            (115.0, 138.0, 20, "+23.00 (+20.00%)", "20 bars, 1h 40m"),
            (138.0, 115.0, -20, "−23.00 (−16.67%)", "−20 bars, 1h 40m"),
            (115.0, 115.0, 1, "0.00 (0.00%)", "1 bar, 5m"),
        ])
    func measure(from: Double, to: Double, bars: Int, change: String, length: String) throws {
        var view = DrawingFixture.view()
        let start = DrawingAnchor(time: DrawingFixture.start + 30 * 300, price: from)
        let end = DrawingAnchor(time: start.time + Double(bars) * 300, price: to)
        view.board.add(try #require(Drawing(.measure, [start, end])))
        view.draw()
        let texts = view.overlay.commands.filter { $0.opcode == .text }.map {
            String(decoding: $0.operands.utf8, as: UTF8.self)
        }
        #expect(texts.contains(change) && texts.contains(length))
    }

    @Test(
        "lengths of time have their two largest units",
        arguments: [
            (0.0, "0s"), (59, "59s"), (60, "1m"), (90, "1m 30s"), (3600, "1h"), (3660, "1h 1m"), (3601, "1h"),
            (86_400 * 3 + 4 * 3600, "3d 4h"), (1e12, "24855d 3h"),
        ] as [(Double, String)])
    func durations(seconds: Double, expected: String) {
        var text = TextBuffer()
        text.append(duration: seconds)
        #expect(String(decoding: text.bytes, as: UTF8.self) == expected)
    }

    @Test(
        "levels too close for a line of text have no label, and the first one always has one", arguments: [0.5, 3, 28])
    func levels(range: Double) throws {
        var view = DrawingFixture.view()
        let start = DrawingAnchor(time: DrawingFixture.start + 30 * 300, price: 130)
        let end = DrawingAnchor(time: start.time + 6000, price: 130 + range)
        view.board.add(try #require(Drawing(.fibonacci, [start, end])))
        view.draw()
        let texts = view.overlay.commands.filter {
            $0.opcode == .text && $0.operands.utf8.starts(with: Array("0.".utf8))
        }
        let heights = texts.map { $0.operands.number(2) }
        #expect(!heights.isEmpty && zip(heights, heights.dropFirst()).allSatisfy { $1 - $0 >= 13 })
        #expect((range < 10) == (heights.count < 6))
    }

    @Test("a frame with drawings grows no storage")
    func storage() throws {
        var view = DrawingFixture.view()
        for kind in DrawingKind.allCases { view.board.add(DrawingFixture.line(kind)) }
        view.setCrosshair(x: 100, y: 100)
        view.draw()
        let address = view.overlay.words.withUnsafeBufferPointer { $0.baseAddress }
        for x in 0..<50 {
            view.setCrosshair(x: 100 + Double(x), y: 100)
            view.draw()
            #expect(view.overlay.words.withUnsafeBufferPointer { $0.baseAddress } == address)
        }
    }
}
