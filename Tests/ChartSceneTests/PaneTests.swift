import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("Panes")
struct PaneTests {
    private func chart(width: Double = 900, height: Double = 628) -> ChartView {
        var random = SeededGenerator(seed: 6)
        var view = ChartView(timeframe: .m1)
        view.resize(width: width, height: height, devicePixelRatio: 2)
        view.setData(random.candles(600))
        return view
    }

    private func heights(_ view: ChartView) -> [Double] {
        view.panes.indices.map { view.place(ofPane: $0)?.height ?? -1 }
    }

    @Test("volume has a fifth of the price pane, an indicator's pane 30 % of the height")
    func shares() {
        var view = chart()
        #expect(view.layout.volumeHeight == (0.2 * 1200).rounded())
        view.addStudy(StudySettings(.rsi))
        let heights = heights(view)
        #expect(abs(heights[1] / (heights[0] + heights[1]) - 0.3) < 0.002)
    }

    @Test("panes and dividers fill the height, whatever was dragged", arguments: 1...20)
    func dividers(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var view = chart(height: 200 + random.unit() * 900)
        for _ in 0..<Int(random.unit() * 5) { view.addStudy(StudySettings(.rsi)) }
        for _ in 0..<20 {
            view.dragDivider(below: Int(random.unit() * 6) - 1, byPixels: random.unit() * 800 - 400)
            let frames = view.layout.panes
            #expect(frames.first?.top == 0 && frames.last?.bottom == view.layout.plotHeight)
            for (upper, lower) in zip(frames, frames.dropFirst()) {
                #expect(lower.top - upper.bottom == view.layout.hairline)
            }
            let room = view.paneHeight - Double(frames.count - 1)
            let least = min(Pane.leastHeight, room / Double(frames.count)) - 1
            #expect(heights(view).allSatisfy { $0 >= least })
        }
    }

    @Test("a dragged divider moves as far as the pointer, and other panes stay")
    func drag() {
        var view = chart()
        for _ in 0..<3 { view.addStudy(StudySettings(.rsi)) }
        let before = heights(view)
        view.dragDivider(below: 1, byPixels: 30)
        let after = heights(view)
        for (index, change) in [0.0, 30, -30, 0].enumerated() {
            #expect(abs(after[index] - before[index] - change) <= 1)
        }
    }

    @Test("panes come and go with what is in them")
    func contents() throws {
        var view = chart()
        let rsi = try found(view.addStudy(StudySettings(.rsi)))
        let macd = try found(view.addStudy(StudySettings(.macd)))
        let sma = try found(view.addStudy(StudySettings(.sma)))
        view.setVolume(.pane)
        #expect(view.panes.count == 4 && view.study(sma)?.pane == 0 && view.study(macd)?.pane == 2)
        view.moveStudy(sma, toPane: 1)
        view.removeStudy(rsi)
        #expect(view.panes.count == 4 && view.study(sma)?.pane == 1)
        view.movePane(2, to: 1)
        #expect(view.study(macd)?.pane == 1 && view.study(sma)?.pane == 2)
        view.removeStudy(macd)
        #expect(view.panes.count == 3 && view.study(sma)?.pane == 1)
        view.setVolume(.price)
        view.removeStudy(sma)
        #expect(view.panes.count == 1)
        // A study whose values are no prices never comes over the price.
        let other = try found(view.addStudy(StudySettings(.rsi), inPane: 0))
        #expect(view.study(other)?.pane == 1)
    }

    @Test("no text stands in two panes, and each pane's crosshair shows its own scale")
    func crosshair() throws {
        var view = chart()
        view.addStudy(StudySettings(.rsi))
        let place = try #require(view.place(ofPane: 1))
        view.setCrosshair(x: 300, y: place.top + place.height / 2)
        let position = try found(view.position(x: 300, y: place.top + place.height / 2))
        #expect(position.pane == 1 && position.value > 30 && position.value < 70)
        let texts = view.texts()
        #expect(texts.contains { $0.text == "RSI 14" && $0.y / 2 > place.top })
    }

    @Test("a dragged scale keeps its range, until it is reset")
    func fixedScale() throws {
        var view = chart()
        let before = view.range(ofPane: 0)
        view.stretchScale(ofPane: 0, by: 2)
        let after = view.range(ofPane: 0)
        #expect(after.high - after.low < (before.high - before.low) * 0.51)
        view.pan(byPixels: 2000)
        #expect(abs(view.range(ofPane: 0).low - after.low) < 1e-9)
        view.panScale(ofPane: 0, byPixels: 50)
        #expect(view.range(ofPane: 0).low > after.low)
        view.resetScale(ofPane: 0)
        view.followLive()
        #expect(abs(view.range(ofPane: 0).low - before.low) < 1e-9)
    }

    @Test("a place is the same in the market and on screen, on every scale", arguments: PriceScaleKind.allCases)
    func positions(kind: PriceScaleKind) throws {
        var random = SeededGenerator(seed: 8)
        var view = chart()
        view.setScale(ofPane: 0, PriceScaleSettings(kind: kind))
        for _ in 0..<200 {
            let (x, y) = (random.unit() * view.paneWidth, random.unit() * view.paneHeight)
            let place = try found(view.position(x: x, y: y))
            let point = try found(view.point(time: place.time, price: place.value))
            #expect(abs(point.x - x) < 1e-3 && abs(point.y - y) < 1e-3)
        }
    }
}

extension ChartView {
    /// All labels of the picture, in device pixels.
    mutating func texts() -> [(text: String, x: Double, y: Double)] {
        var list = DisplayList()
        render(into: &list)
        return list.commands.filter { $0.opcode == .text }.map {
            (String(decoding: $0.operands.utf8, as: UTF8.self), $0.operands.number(1), $0.operands.number(2))
        }
    }
}
