import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("Tags on the price axis")
struct AxisTagTests {
    private struct Tag {
        let text: String
        let top: Double
        let bottom: Double
    }

    /// 200 bars that close at 100 to 109, the newest at 105; the view shows all that is near them.
    private func view(height: Double = 600) -> ChartView {
        var view = ChartView(timeframe: .m1)
        view.resize(width: 800, height: height, devicePixelRatio: 1)
        view.setSymbol("BTC-USD".utf8, precision: 2)
        view.setData(
            (0..<200).map { index in
                let close = index == 199 ? 105 : 100 + Double(index % 10)
                return Candle(
                    timestamp: 1_700_000_040 + Double(index) * 60, open: close, high: close + 0.5, low: close - 0.5,
                    close: close, volume: 0)
            })
        return view
    }

    /// The boxes on the axis that have a text, without those that are only the fill of a border.
    private func tags(_ view: inout ChartView) -> [Tag] {
        view.draw()
        var boxes: [(top: Double, bottom: Double)] = []
        var found: [Tag] = []
        for command in view.overlay.commands {
            let operands = command.operands
            if command.opcode == .roundRect, operands.number(1) > view.layout.plotWidth {
                boxes.append((operands.number(2), operands.number(2) + operands.number(4)))
            } else if command.opcode == .text, operands.number(1) > view.layout.plotWidth, !boxes.isEmpty {
                found.append(
                    Tag(
                        text: String(decoding: operands.utf8, as: UTF8.self), top: boxes[0].top,
                        bottom: boxes[0].bottom))
                boxes.removeAll()
            }
        }
        return found
    }

    @Test("no tag overlaps another, and the last price stays where it is", arguments: 1...60)
    func apart(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var view = view(height: 200 + random.unit() * 600)
        if seed % 3 == 0 { view.setScale(ofPane: 0, PriceScaleSettings(kind: .logarithmic, isInverted: seed % 2 == 0)) }
        if seed % 5 == 0 {
            view.setScale(ofPane: 0, PriceScaleSettings(range: random.element([20.0...60, 110...140, 90...104.9])))
        }
        let before = try found(tags(&view).first { $0.text == "105.00" })
        for id in 0..<Int(random.unit() * 90) {
            let price = random.element([105 + random.unit(), 95 + random.unit() * 20, random.unit() * 300])
            switch id % 3 {
            case 0: view.objects.set(OrderLine(id: id, kind: .order, isBuy: true, price: price))
            case 1: view.objects.set(PriceAlert(id: id, price: price))
            default: view.objects.set(PriceLine(id: id, price: price))
            }
        }
        let after = tags(&view)
        #expect(after.contains { $0.text == "105.00" && $0.top == before.top })
        let sorted = after.sorted { $0.top < $1.top }
        for (upper, lower) in zip(sorted, sorted.dropFirst()) { #expect(upper.bottom <= lower.top) }
        #expect(sorted.allSatisfy { $0.top >= 0 && $0.bottom <= view.layout.price.bottom })
        // Where there is room, all that is in view has its tag.
        let most = Int(view.layout.price.height / (view.layout.labelHeight + 1))
        let wanted = 1 + view.objects.orders.count + view.objects.alerts.count + view.objects.lines.count
        #expect(after.count <= most)
        if wanted < 4 { #expect(after.count == wanted) }
    }

    @Test("no tag is painted over, by another one's numbers or by the crosshair's", arguments: 1...20)
    func whole(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var view = view()
        for id in 0..<8 {
            view.objects.set(OrderLine(id: id, kind: .order, isBuy: true, price: 99 + random.unit() * 11))
        }
        view.setCrosshair(x: 300, y: 50 + random.unit() * 500)
        view.draw()
        let axis = Array(view.overlay.commands).filter { $0.operands.number(1) > view.layout.plotWidth }
        let first = try #require(axis.firstIndex { $0.opcode == .roundRect })
        #expect(!axis[first...].contains { $0.opcode == .fillRects })
    }

    @Test("what is out of view has a tag with an arrow at the nearer end", arguments: [false, true])
    func beyond(isInverted: Bool) throws {
        var view = view()
        view.setScale(ofPane: 0, PriceScaleSettings(isInverted: isInverted))
        let arrows = view.base.commands.filter { $0.opcode == .fillPolygon }.count
        #expect(arrows == 0)
        view.objects.set(OrderLine(id: 1, kind: .takeProfit, isBuy: false, price: 150))
        view.objects.set(OrderLine(id: 2, kind: .position, isBuy: true, price: 40))
        view.objects.set(PriceAlert(id: 3, price: 60))
        let texts = tags(&view)
        let top = try #require(texts.first { $0.text == "150.00" })
        let bottom = try #require(texts.first { $0.text == "40.00" })
        #expect(texts.contains { $0.text == "60.00" })
        #expect(isInverted ? bottom.top == 0 : top.top == 0)
        #expect((isInverted ? top.bottom : bottom.bottom) > view.layout.price.bottom - 2)
        let pointed = view.overlay.commands.filter { $0.opcode == .fillPolygon }
        #expect(pointed.count == 3)
        // An arrow points to where the price is: its tip is its first corner.
        for arrow in pointed {
            let isAtTop = arrow.operands.number(2) < 100
            #expect((arrow.operands.number(2) < arrow.operands.number(4)) == isAtTop)
        }
    }

    @Test("of many prices beyond an end two have their own tag, one says how many more there are")
    func many() {
        var view = view()
        for id in 0..<7 {
            view.objects.set(OrderLine(id: id, kind: .order, isBuy: false, price: 150 + Double(id)))
            view.objects.set(PriceAlert(id: id, price: 50 - Double(id)))
        }
        let texts = tags(&view).map(\.text)
        #expect(Set(texts) == ["150.00", "151.00", "5 more", "105.00", "50.00", "49.00"])
        #expect(texts.filter { $0 == "5 more" }.count == 2)
        // Also where the newest price is beyond that end itself.
        view.setScale(ofPane: 0, PriceScaleSettings(range: 60...80))
        #expect(Set(tags(&view).map(\.text)) == ["150.00", "151.00", "5 more", "105.00", "50.00", "49.00"])
    }

    @Test("a compared symbol has a tag in its colour, in the unit of the axis")
    func compared() throws {
        var view = view()
        let id = try found(view.addComparison("ETH-USD".utf8, precision: 3))
        view.setData(
            ofComparison: id,
            (0..<200).map { index in
                let close = 2 + Double(index) / 1000
                return Candle(
                    timestamp: 1_700_000_040 + Double(index) * 60, open: close, high: close, low: close, close: close,
                    volume: 0)
            })
        let first = view.firstVisible
        let percent = (2.199 / (2 + Double(first) / 1000) - 1) * 100
        var text = TextBuffer()
        text.append(percent, .percent)
        #expect(tags(&view).contains { $0.text == String(decoding: text.bytes, as: UTF8.self) })
        let colour = try #require(view.colour(ofComparison: id))
        #expect(view.overlay.commands.contains { $0.opcode == .roundRect && $0.operands.word(0) == colour.rgba })
        view.setScale(ofPane: 0, PriceScaleSettings(kind: .logarithmic))
        #expect(tags(&view).contains { $0.text == "2.199" })
        view.setVisible(ofComparison: id, false)
        #expect(!tags(&view).contains { $0.text == "2.199" })
    }

    @Test("the axis has room for each label that is drawn", arguments: 1...80)
    func wide(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var view = ChartView(timeframe: .m1)
        view.resize(width: 900, height: 500, devicePixelRatio: random.element([1.0, 1.5, 2]))
        view.setSymbol("X".utf8, precision: random.element([0, 2, 4]))
        let scale = random.element([0.9, 60, 700, 880])
        view.setData(
            random.candles(300).map {
                Candle(
                    timestamp: $0.timestamp, open: $0.open * scale, high: $0.high * scale, low: $0.low * scale,
                    close: $0.close * scale, volume: $0.volume)
            })
        if seed % 2 == 0 { view.addStudy(StudySettings(random.element(Array(StudyKind.allCases)))) }
        for step in 0..<12 {
            switch random.element([0, 1, 2, 3, 4, 5]) {
            case 0: view.zoom(by: 0.3 + random.unit() * 2, atX: 400)
            case 1: view.pan(byPixels: random.unit() * 2000 - 1000)
            case 2: view.setScale(ofPane: 0, PriceScaleSettings(kind: random.element(Array(PriceScaleKind.allCases))))
            case 3: view.objects.set(OrderLine(id: step, kind: .order, isBuy: true, price: 1_000_000 * random.unit()))
            case 4: view.stretchScale(ofPane: 0, by: 0.02 + random.unit())
            default: view.setCrosshair(x: random.unit() * 800, y: random.unit() * 500)
            }
            var list = DisplayList()
            view.render(into: &list)
            for command in list.commands where command.opcode == .text {
                let operands = command.operands
                // The corner below the prices has the time zone.
                guard operands.number(1) > view.layout.plotWidth, operands.number(2) < view.layout.plotHeight else {
                    continue
                }
                let width = TextMetrics.width(utf8: operands.utf8, size: operands.number(3))
                #expect(
                    operands.number(1) + width <= view.layout.width, "\(String(decoding: operands.utf8, as: UTF8.self))"
                )
            }
        }
    }
}
