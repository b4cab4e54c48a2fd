import MarketModel
import Testing

@testable import ChartScene

@Suite("Objects on the chart")
struct ObjectTests {
    private func texts(_ list: DisplayList) -> [String] {
        list.commands.filter { $0.opcode == .text }.map { String(decoding: $0.operands.utf8, as: UTF8.self) }
    }

    static let kinds = ["line", "alert", "markers", "orders", "feed"]

    private func view(with kind: String) throws -> ChartView {
        var view = DrawingFixture.view(bars: 40, ratio: 2)
        let start = DrawingFixture.start
        switch kind {
        case "line": view.objects.set(PriceLine(id: 1, price: 120, label: "entry".utf8))
        case "alert": view.objects.set(PriceAlert(id: 1, price: 125))
        case "markers":
            for (index, kind) in ChartMarker.Kind.allCases.enumerated() {
                view.objects.set(
                    try #require(
                        ChartMarker(id: index, time: start + Double(index * 5 + 12) * 300 + 17, kind: kind)))
            }
            // On each other, above one bar.
            view.objects.set(try #require(ChartMarker(id: 9, time: start + 17 * 300, kind: .flag, text: "CPI".utf8)))
        case "orders":
            view.objects.set(OrderLine(id: 1, kind: .position, isBuy: true, price: 118, label: "Long 0.5".utf8))
            view.objects.set(OrderLine(id: 2, kind: .stopLoss, isBuy: false, price: 110, label: "Stop".utf8))
            view.objects.propose(2, 112)
        default:
            for (index, state) in FeedMark.State.allCases.enumerated() {
                let from = start + Double(index * 8 + 4) * 300
                view.objects.add(
                    try #require(FeedMark(from: from, to: from + 1500, state, reason: "socket closed".utf8)))
            }
            view.moveCrosshair(byBars: 1)
            view.moveCrosshair(byBars: 6 - 38)
        }
        return view
    }

    @Test("each kind of object is drawn as recorded", arguments: kinds)
    func golden(kind: String) throws {
        var view = try view(with: kind)
        var list = DisplayList()
        view.render(into: &list)
        try expectGolden(list, "object-\(kind)")
    }

    @Test("an order's line is dragged to a proposed price in whole ticks, which is accepted or reverted")
    func drag() throws {
        var view = DrawingFixture.view()
        view.setSymbol("ES".utf8, precision: 2, tickSize: 0.25)
        view.objects.set(OrderLine(id: 5, kind: .order, isBuy: true, price: 120))
        view.objects.set(OrderLine(id: 6, kind: .position, isBuy: true, price: 130, isDraggable: false))
        let from = try DrawingFixture.pixel(&view, bar: 30, price: 120)
        let to = try DrawingFixture.pixel(&view, bar: 35, price: 123.1)
        let fixed = try DrawingFixture.pixel(&view, bar: 30, price: 130)
        var isTaken = view.pressObject(x: fixed.x, y: fixed.y)
        #expect(!isTaken)
        isTaken = view.pressObject(x: from.x, y: from.y + 4)
        #expect(isTaken)
        view.moveObject(x: to.x, y: to.y)
        var proposal = view.releaseObject()
        #expect(proposal?.id == 5 && proposal?.price == 123)
        #expect(view.objects.orders[0].price == 120 && view.objects.orders[0].shown == 123)
        view.objects.revertOrder(5)
        #expect(view.objects.orders[0].shown == 120)
        isTaken = view.pressObject(x: from.x, y: from.y)
        view.moveObject(x: to.x, y: to.y)
        proposal = view.releaseObject()
        view.objects.acceptOrder(5)
        #expect(view.objects.orders[0].price == 123 && view.objects.orders[0].proposed == nil)
        // A press without a move proposes nothing.
        isTaken = view.pressObject(x: to.x, y: to.y)
        proposal = view.releaseObject()
        #expect(isTaken && proposal == nil)
    }

    @Test("dragging an order draws the overlay alone")
    func redraw() throws {
        var view = DrawingFixture.view()
        view.objects.set(OrderLine(id: 5, kind: .order, isBuy: true, price: 120))
        let from = try DrawingFixture.pixel(&view, bar: 30, price: 120)
        view.draw()
        _ = view.pressObject(x: from.x, y: from.y)
        view.moveObject(x: from.x, y: from.y - 20)
        let level = view.draw()
        #expect(level == .cursor)
    }

    @Test(
        "the reason is reported on the marked bars and on no others", arguments: [(9, true), (10, true), (11, false)])
    func reason(bar: Int, isReported: Bool) throws {
        var view = DrawingFixture.view()
        view.objects.add(
            try #require(
                FeedMark(
                    from: DrawingFixture.start + 8 * 300, to: DrawingFixture.start + 10 * 300 + 299, .gap,
                    reason: "no answer".utf8)))
        view.moveCrosshair(byBars: 1)
        view.moveCrosshair(byBars: -100)
        view.moveCrosshair(byBars: bar)
        view.draw()
        #expect(texts(view.overlay).contains("Gap: no answer") == isReported)
    }

    @Test("an order's tag and a marker's words are whole at the plot's edge")
    func edge() throws {
        let tag = "Sell trailing stop 0.0125 (0.0025 filled)"
        let words = "0.02 at 67,262.04 in 2"
        var view = DrawingFixture.view()
        view.resize(width: 390, height: 400, devicePixelRatio: 1)
        view.fit()
        view.objects.set(OrderLine(id: 1, kind: .order, isBuy: false, price: 150, label: tag.utf8))
        view.objects.set(
            try #require(
                ChartMarker(id: 1, time: DrawingFixture.start + 59 * 300, kind: .sell, text: words.utf8)))
        view.draw()
        let width = try found(view.drawingSpace()).width
        let box = try #require(view.overlay.commands.first { $0.opcode == .roundRect }?.operands)
        #expect(box.number(1) > 0 && box.number(1) + box.number(3) <= width)
        #expect(texts(view.overlay).contains(tag))
        let marker = try #require(
            view.base.commands.first { $0.opcode == .text && $0.operands.utf8 == Array(words.utf8) }?.operands)
        var text = TextBuffer()
        text.append(utf8: Array(words.utf8))
        let half = TextMetrics.width(text, size: marker.number(3)) / 2
        #expect(marker.number(1) + half <= width + 1 && marker.number(1) - half >= -1)
    }

    @Test("the same number replaces an object, and each kind is bounded")
    func numbers() throws {
        var objects = ChartObjects()
        for price in [1.0, 2] { objects.set(PriceLine(id: 3, price: price)) }
        #expect(objects.lines == [PriceLine(id: 3, price: 2)])
        objects.set(PriceLine(id: 4, price: .nan))
        objects.set(OrderLine(id: 4, kind: .order, isBuy: true, price: .infinity))
        #expect(objects.lines.count == 1 && objects.orders.isEmpty)
        for id in 0..<2100 {
            objects.set(try #require(ChartMarker(id: id, time: Double(2100 - id) + 86_400, kind: .dot)))
            objects.set(PriceLine(id: id, price: 1))
            objects.add(try #require(FeedMark(from: Double(id), to: Double(id), .stale)))
        }
        #expect(objects.markers.count == 2000 && objects.lines.count == 2000 && objects.feed.count == 2000)
        #expect(zip(objects.markers, objects.markers.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(objects.feed.first?.start == 100)
        #expect(ChartMarker(id: 1, time: .nan, kind: .buy) == nil && FeedMark(from: 2, to: 1, .gap) == nil)
    }

    @Test("nothing of them traps without bars, off screen or on hostile prices")
    func hostile() throws {
        for bars in [0, 1, 40] {
            var view = DrawingFixture.view(bars: bars)
            for price in [0.0, -1, 1e15, -1e15, 1e-300] {
                view.objects.set(PriceLine(id: Int(price.exponent), price: price))
                view.objects.set(PriceAlert(id: 1, price: price))
                view.objects.set(OrderLine(id: 1, kind: .position, isBuy: false, price: price))
            }
            for time in [0.0, 253_402_300_799, DrawingFixture.start] {
                view.objects.set(try #require(ChartMarker(id: Int(time / 1e6), time: time, kind: .flag)))
                view.objects.add(try #require(FeedMark(from: 0, to: time, .partial)))
            }
            _ = view.pressObject(x: 100, y: 100, tolerance: 1e9)
            view.moveObject(x: .nan, y: 1)
            view.moveObject(x: 1, y: 1e300)
            _ = view.releaseObject()
            view.setScale(ofPane: 0, PriceScaleSettings(kind: .logarithmic, isInverted: true))
            view.setCrosshair(x: 50, y: 50)
            view.draw()
        }
    }
}
