import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("Drawing with a pointer")
struct DrawingPointerTests {
    private func time(_ bar: Double) -> Double { DrawingFixture.start + bar * 300 }

    private func hit(_ view: inout ChartView, x: Double, y: Double, tolerance: Double = 6) -> DrawingHit? {
        view.drawing(x: x, y: y, tolerance: tolerance)
    }

    /// Presses and releases at a place among the bars.
    private func click(_ view: inout ChartView, _ bar: Double, _ price: Double) throws {
        let (x, y) = try DrawingFixture.pixel(&view, bar: bar, price: price)
        _ = view.pressDrawing(x: x, y: y)
        view.releaseDrawing(x: x, y: y)
    }

    private func drag(
        _ view: inout ChartView, from: (Double, Double), to: (Double, Double)
    ) throws -> Bool {
        let (x, y) = try DrawingFixture.pixel(&view, bar: from.0, price: from.1)
        let (x2, y2) = try DrawingFixture.pixel(&view, bar: to.0, price: to.1)
        let isTaken = view.pressDrawing(x: x, y: y)
        view.moveDrawing(x: (x + x2) / 2, y: (y + y2) / 2)
        view.moveDrawing(x: x2, y: y2)
        view.releaseDrawing(x: x2, y: y2)
        return isTaken
    }

    @Test("a drawing is begun and ended by presses on its anchors, or by one drag", arguments: DrawingKind.allCases)
    func create(kind: DrawingKind) throws {
        var clicked = DrawingFixture.view()
        clicked.board.setTool(kind)
        try click(&clicked, 20, 120)
        if kind.anchorCount == 2 {
            #expect(clicked.board.drawings.isEmpty && clicked.board.begun != nil)
            try click(&clicked, 40, 140)
        }
        let drawing = try #require(clicked.board.drawings.first)
        #expect(drawing.kind == kind && clicked.board.tool == nil && clicked.board.selection == drawing.id)
        #expect(drawing.anchors[0] == DrawingAnchor(time: time(20), price: 120))
        var dragged = DrawingFixture.view()
        dragged.board.setTool(kind)
        #expect(try drag(&dragged, from: (20, 120), to: (40, 140)))
        #expect(dragged.board.drawings == clicked.board.drawings)
        // One step to undo.
        dragged.board.undo()
        #expect(dragged.board.drawings.isEmpty && !dragged.board.canUndo)
    }

    @Test("anchors stick to bars, also to those that are still to come")
    func future() throws {
        var view = DrawingFixture.view()
        view.pan(byBars: 20)
        view.board.setTool(.trendLine)
        try click(&view, 50.3, 130)
        try click(&view, 66.8, 140)
        #expect(view.board.drawings[0].anchors.map(\.time) == [time(50), time(67)])
        // The bars come, and the anchor is on one of them.
        for candle in DrawingFixture.candles(70) { view.place(candle, final: true) }
        #expect(view.series.timestamp(at: 67) == time(67))
    }

    @Test("a press on nothing is the chart's, and clears the selection")
    func nothing() throws {
        var view = DrawingFixture.view()
        view.board.add(DrawingFixture.line())
        #expect(try drag(&view, from: (50, 105), to: (20, 110)) == false)
        #expect(view.board.selection == nil && view.board.drawings[0].anchors == DrawingFixture.line().anchors)
    }

    @Test("one anchor is moved by its handle", arguments: [0, 1])
    func handle(index: Int) throws {
        var view = DrawingFixture.view()
        view.board.add(DrawingFixture.line())
        let from = index == 0 ? (10.0, 115.0) : (30.0, 135.0)
        #expect(try drag(&view, from: from, to: (40, 120)))
        var expected = DrawingFixture.line().anchors
        expected[index] = DrawingAnchor(time: time(40), price: 120)
        #expect(view.board.drawings[0].anchors == expected)
        view.board.undo()
        #expect(view.board.drawings[0].anchors == DrawingFixture.line().anchors)
    }

    @Test("a drawing is moved whole by its body", arguments: [PriceScaleKind.linear, .logarithmic, .percent])
    func body(kind: PriceScaleKind) throws {
        var view = DrawingFixture.view()
        view.setScale(ofPane: 0, PriceScaleSettings(kind: kind))
        view.board.add(DrawingFixture.line(.horizontalLine))
        #expect(try drag(&view, from: (45, 115), to: (50, 125)))
        let anchor = view.board.drawings[0].anchors[0]
        #expect((anchor.price - 125).magnitude <= 0.02 && anchor.time == time(15))
    }

    @Test("a body that is moved keeps its shape on screen")
    func shape() throws {
        var view = DrawingFixture.view()
        view.board.add(DrawingFixture.line())
        #expect(try drag(&view, from: (20, 125), to: (25, 121)))
        #expect(
            view.board.drawings[0].anchors == [
                DrawingAnchor(time: time(15), price: 111), DrawingAnchor(time: time(35), price: 131),
            ])
    }

    @Test("what is locked is selected and stays; what is hidden is not there")
    func lockedAndHidden() throws {
        var view = DrawingFixture.view()
        view.board.add(DrawingFixture.line())
        view.board.setLocked(1, true)
        #expect(try drag(&view, from: (20, 125), to: (40, 120)))
        #expect(view.board.selection == 1 && view.board.drawings[0].anchors == DrawingFixture.line().anchors)
        view.nudgeDrawing(bars: 1, steps: 1)
        #expect(view.board.drawings[0].anchors == DrawingFixture.line().anchors)
        view.board.setHidden(1, true)
        #expect(try drag(&view, from: (20, 125), to: (40, 120)) == false)
        view.board.setHidden(1, false)
        view.board.setAllHidden(true)
        #expect(try drag(&view, from: (20, 125), to: (40, 120)) == false)
    }

    @Test("a finger hits from further away than a mouse")
    func tolerance() throws {
        var view = DrawingFixture.view()
        view.board.add(DrawingFixture.line(.horizontalLine))
        let (x, y) = try DrawingFixture.pixel(&view, bar: 40, price: 115)
        #expect(hit(&view, x: x, y: y + 5) != nil)
        #expect(hit(&view, x: x, y: y + 12) == nil)
        #expect(hit(&view, x: x, y: y + 12, tolerance: 16)?.part == .body)
    }

    @Test("handles are hit before bodies, the selected drawing before others, upper ones before lower ones")
    func order() throws {
        var view = DrawingFixture.view()
        view.board.add(DrawingFixture.line())
        view.board.add(DrawingFixture.line(.rectangle))
        view.board.select(nil)
        // Inside the rectangle and on the line's middle: the rectangle is above.
        var place = try DrawingFixture.pixel(&view, bar: 20, price: 125)
        #expect(hit(&view, x: place.x, y: place.y) == DrawingHit(id: 2, part: .body))
        view.board.select(1)
        #expect(hit(&view, x: place.x, y: place.y) == DrawingHit(id: 1, part: .body))
        view.board.select(nil)
        place = try DrawingFixture.pixel(&view, bar: 10, price: 115)
        #expect(hit(&view, x: place.x, y: place.y) == DrawingHit(id: 2, part: .handle(0)))
    }

    @Test("every kind is hit on its lines and not far from them", arguments: DrawingKind.allCases)
    func kinds(kind: DrawingKind) throws {
        var view = DrawingFixture.view()
        view.pan(byBars: 10)
        view.board.add(DrawingFixture.line(kind))
        view.board.select(nil)
        let on: (Double, Double)
        switch kind {
        case .trendLine: on = (20, 125)
        case .ray: on = (45, 150)
        case .horizontalLine: on = (50, 115)
        case .verticalLine: on = (10, 140)
        case .rectangle, .measure, .fibonacci: on = (12, 133)
        case .text: on = (11, 115)
        }
        let place = try DrawingFixture.pixel(&view, bar: on.0, price: on.1)
        #expect(hit(&view, x: place.x, y: place.y)?.id == 1)
        let off = try DrawingFixture.pixel(&view, bar: 50, price: 128)
        #expect(hit(&view, x: off.x, y: off.y) == nil)
    }

    @Test("the magnet snaps to the nearest price of the bar, weak only from near")
    func magnet() throws {
        // Bar 30: open 129, high 132, low 127, close 130.
        for (magnet, price, expected) in [
            (Magnet.strong, 160.0, 132.0), (.strong, 128.1, 129), (.strong, 100, 127), (.weak, 132.5, 132),
            (.weak, 160, 160), (.off, 131.37, 131.37),
        ] {
            var view = DrawingFixture.view()
            view.board.magnet = magnet
            view.board.setTool(.horizontalLine)
            try click(&view, 30.2, price)
            #expect((view.board.drawings[0].anchors[0].price - expected).magnitude < 0.006, "\(magnet) \(price)")
        }
    }

    @Test("prices are those that the symbol can have")
    func ticks() throws {
        var view = DrawingFixture.view()
        view.setSymbol("ES".utf8, precision: 2, tickSize: 0.25)
        view.board.setTool(.horizontalLine)
        try click(&view, 30, 131.37)
        #expect(view.board.drawings[0].anchors[0].price == 131.25 || view.board.drawings[0].anchors[0].price == 131.5)
    }

    @Test("escape gives up what was begun, and what was dragged goes back")
    func cancel() throws {
        var view = DrawingFixture.view()
        view.board.setTool(.ray)
        try click(&view, 20, 120)
        view.board.cancel()
        #expect(view.board.begun == nil && view.board.tool == nil && view.board.drawings.isEmpty)
        view.board.add(DrawingFixture.line())
        let from = try DrawingFixture.pixel(&view, bar: 20, price: 125)
        _ = view.pressDrawing(x: from.x, y: from.y)
        view.moveDrawing(x: from.x + 50, y: from.y)
        #expect(view.board.drawings[0].anchors != DrawingFixture.line().anchors)
        view.board.cancel()
        view.releaseDrawing(x: from.x + 50, y: from.y)
        #expect(view.board.drawings[0].anchors == DrawingFixture.line().anchors)
    }

    @Test("a drawing is made and moved by keyboard alone")
    func keyboard() throws {
        var view = DrawingFixture.view()
        var isPlaced = view.placeDrawingAtCrosshair()
        #expect(!isPlaced)
        view.board.setTool(.trendLine)
        view.moveCrosshair(byBars: -1)
        view.moveCrosshair(byBars: 59)
        isPlaced = view.placeDrawingAtCrosshair()
        #expect(isPlaced)
        view.moveCrosshair(byBars: -10)
        isPlaced = view.placeDrawingAtCrosshair()
        #expect(isPlaced)
        #expect(view.board.drawings[0].anchors.map(\.price) == [159, 149])
        view.nudgeDrawing(bars: 2, steps: -5)
        #expect(view.board.drawings[0].anchors.map(\.price) == [158.95, 148.95])
        #expect(view.board.drawings[0].anchors.map(\.time) == [time(61), time(51)])
    }

    @Test("moving over nothing draws nothing again; a drag draws the overlay alone")
    func redraw() throws {
        var view = DrawingFixture.view()
        view.board.add(DrawingFixture.line())
        view.draw()
        view.moveDrawing(x: 20, y: 380)
        var level = view.draw()
        #expect(level == .none)
        let from = try DrawingFixture.pixel(&view, bar: 20, price: 125)
        _ = view.pressDrawing(x: from.x, y: from.y)
        view.moveDrawing(x: from.x + 50, y: from.y)
        level = view.draw()
        #expect(level == .cursor)
    }

    @Test("nothing that a pointer does traps, on any data")
    func hostile() {
        var random = SeededGenerator(seed: 31)
        for data in [[], DrawingFixture.candles(1), DrawingFixture.candles(40)] {
            var view = DrawingFixture.view()
            view.setData(data)
            for _ in 0..<2000 {
                let x = [random.unit() * 800 - 50, .nan, 1e300][random.unit() < 0.97 ? 0 : 1]
                let y = random.unit() * 500 - 50
                switch Int(random.unit() * 9) {
                case 0: view.board.setTool(DrawingKind(rawValue: UInt8(random.unit() * 8)))
                case 1, 2: _ = view.pressDrawing(x: x, y: y, tolerance: 16)
                case 3, 4: view.moveDrawing(x: x, y: y)
                case 5: view.releaseDrawing(x: x, y: y)
                case 6: view.zoom(by: 0.2 + random.unit() * 3, atX: 100)
                case 7: _ = random.unit() < 0.5 ? view.board.undo() : view.board.redo()
                default:
                    view.pan(byPixels: random.unit() * 4000 - 2000)
                    view.draw()
                }
            }
            #expect(view.board.drawings.allSatisfy { $0.anchors.allSatisfy(\.isValid) })
        }
    }
}
