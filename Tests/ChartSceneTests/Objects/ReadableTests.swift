import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("What is written over the bars")
struct ReadableTests {
    private func text(_ command: DisplayCommand) -> String { String(decoding: command.operands.utf8, as: UTF8.self) }

    /// The newest close of the fixture is 159.
    @Test(
        "an order's tag has the colour of what it does to the account",
        arguments: [
            (OrderLine.Kind.position, true, 150.0, true), (.position, true, 159.5, false),
            (.position, false, 150, false), (.position, false, 159.5, true),
            (.takeProfit, false, 159.5, true), (.takeProfit, true, 150, true),
            (.stopLoss, false, 150, false), (.stopLoss, true, 159.5, false),
            (.order, true, 150, true), (.order, false, 159.5, false),
        ])
    func colours(kind: OrderLine.Kind, isBuy: Bool, price: Double, isUp: Bool) throws {
        var view = DrawingFixture.view()
        view.objects.set(OrderLine(id: 1, kind: kind, isBuy: isBuy, price: price, label: "Line".utf8))
        view.draw()
        let theme = view.theme
        let plate = try #require(view.overlay.commands.first { $0.opcode == .roundRect })
        let line = try #require(view.overlay.commands.first { $0.opcode == .segments })
        #expect(plate.operands.word(0) == (isUp ? theme.upLabel : theme.downLabel).rgba)
        #expect(line.operands.word(0) == (isUp ? theme.up : theme.down).rgba)
        let tag = try #require(
            view.overlay.commands.first {
                $0.opcode == .text && text($0).hasPrefix("15") && $0.operands.number(1) > view.layout.plotWidth
                    && text($0) != "159.00"
            })
        #expect(tag.operands.word(0) == (isUp ? theme.upText : theme.downText).rgba)
    }

    @Test("tags of orders at nearly one price stand beside each other and hold their text", arguments: 1...20)
    func plates(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var view = DrawingFixture.view()
        view.resize(width: 390 + random.unit() * 900, height: 400, devicePixelRatio: 1)
        view.fit()
        for id in 0..<6 {
            let label = String(repeating: "Sell limit 0.5 ", count: 1 + Int(random.unit() * 6))
            let price = 155 + random.unit() * 3
            view.objects.set(OrderLine(id: id, kind: .order, isBuy: false, price: price, label: label.utf8))
        }
        view.draw()
        var boxes: [(left: Double, right: Double, y: Double)] = []
        let commands = Array(view.overlay.commands)
        for (plate, words) in zip(commands, commands.dropFirst())
        where plate.opcode == .roundRect && words.opcode == .text && plate.operands.number(1) < view.layout.plotWidth {
            let operands = plate.operands
            let box = (
                left: operands.number(1), right: operands.number(1) + operands.number(3),
                y: operands.number(2) + operands.number(4) / 2
            )
            let width = TextMetrics.width(utf8: words.operands.utf8, size: words.operands.number(3))
            #expect(box.left >= 0 && box.right <= view.layout.plotWidth)
            #expect(words.operands.number(1) + width <= box.right)
            for other in boxes where abs(other.y - box.y) < operands.number(4) {
                #expect(other.right <= box.left || box.right <= other.left)
            }
            boxes.append(box)
        }
        #expect(!boxes.isEmpty)
    }

    @Test("a fill's words are on no candle and within the plot, else with the crosshair", arguments: 1...40)
    func fills(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var view = ChartView(timeframe: .m1)
        view.resize(width: 700, height: 400, devicePixelRatio: 1)
        view.setData(random.candles(200))
        view.zoom(by: 0.5 + random.unit(), atX: 400)
        view.setScale(ofPane: 0, PriceScaleSettings(isInverted: seed % 4 == 0))
        for id in 0..<25 {
            let bar = 199 - Int(random.unit() * 70)
            let time = view.series.timestamp(at: bar) + 1
            let kind = random.element([ChartMarker.Kind.buy, .sell])
            view.objects.set(
                try #require(ChartMarker(id: id, time: time, kind: kind, text: "0.\(id) at 66,632.39".utf8)))
        }
        view.draw()
        let space = try found(view.drawingSpace())
        let visible = view.visibleBars
        var written = 0
        for command in view.base.commands where command.opcode == .text && text(command).contains(" at ") {
            written += 1
            let (x, y, size) = (command.operands.number(1), command.operands.number(2), command.operands.number(3))
            let half = TextMetrics.width(utf8: command.operands.utf8, size: size) / 2
            #expect(x - half >= -1 && x + half <= space.width + 1)
            #expect(y - size / 2 >= space.top && y + size / 2 <= space.bottom)
            for bar in visible where abs(space.time.x(bar) - x) < half {
                let ends = [view.series.high(at: bar), view.series.low(at: bar)].map { space.price.y($0) }
                let (top, bottom) = (ends[0] < ends[1] ? ends[0] : ends[1], ends[0] < ends[1] ? ends[1] : ends[0])
                #expect(y + size / 2 <= top || y - size / 2 >= bottom, "\(text(command)) lies on bar \(bar)")
            }
        }
        #expect(written > 0)
        // Those without a place are written with the crosshair on their bar.
        let marker = view.objects.markers[0]
        view.moveCrosshair(byBars: 1)
        view.moveCrosshair(byBars: -300)
        view.moveCrosshair(byBars: view.series.firstIndex(notBefore: marker.time) - 1)
        view.draw()
        #expect(view.overlay.commands.contains { $0.opcode == .text && $0.operands.utf8 == marker.text })
    }

    @Test("each name and number of the legend stands on a backing, and its rows are where the names are")
    func legend() throws {
        var view = DrawingFixture.view()
        let ids = try [
            found(view.addComparison("ETH-USD".utf8, precision: 2)), found(view.addStudy(StudySettings(.ema))),
            found(view.addStudy(StudySettings(.rsi))),
        ]
        view.setVisible(ofStudy: ids[1], false)
        view.draw()
        #expect(view.legendRows.map(\.id) == ids)
        let commands = Array(view.overlay.commands)
        for (row, name) in zip(view.legendRows, ["ETH-USD", "EMA 20", "RSI 14"]) {
            let at = try #require(commands.firstIndex { $0.opcode == .text && text($0) == name })
            let words = commands[at].operands
            #expect(row.middle == words.number(2))
            let width = TextMetrics.width(utf8: words.utf8, size: words.number(3))
            #expect(abs(row.right - words.number(1) - width) <= 1)
            let backing = commands[at - 1].operands
            #expect(commands[at - 1].opcode == .fillRects)
            #expect(backing.number(1) <= words.number(1) && backing.number(1) + backing.number(3) >= row.right)
            #expect(backing.word(0) == view.theme.background.withAlpha(0xD8).rgba)
        }
        // Rows are far enough apart for buttons that a finger can hit.
        let middles = view.legendRows.map(\.middle)
        #expect(zip(middles, middles.dropFirst()).allSatisfy { $1 - $0 >= 24 })
        view.removeStudy(ids[1])
        view.draw()
        #expect(view.legendRows.map(\.id) == [ids[0], ids[2]])
    }

    @Test("the levels of a study are named on its axis", arguments: [120.0, 300, 700])
    func levels(height: Double) {
        var random = SeededGenerator(seed: 3)
        var view = ChartView(timeframe: .m1)
        view.resize(width: 900, height: height + 300, devicePixelRatio: 1)
        view.setData(random.candles(300))
        view.addStudy(StudySettings(.rsi))
        view.draw()
        let place = view.layout.panes[1]
        let numbers = view.base.commands.filter {
            $0.opcode == .text && $0.operands.number(1) > view.layout.plotWidth && place.contains($0.operands.number(2))
        }
        #expect(Set(numbers.map(text)).isSuperset(of: ["30", "70"]))
        let ys = numbers.map { $0.operands.number(2) }.sorted()
        #expect(zip(ys, ys.dropFirst()).allSatisfy { $1 - $0 >= view.layout.axisFont })
    }
}
