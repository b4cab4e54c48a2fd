import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("Redraw levels")
struct RedrawTests {
    private func chart() -> (view: ChartView, last: Candle) {
        var random = SeededGenerator(seed: 14)
        var view = ChartView(timeframe: .m1, capacity: 1000)
        view.resize(width: 900, height: 600, devicePixelRatio: 2)
        let candles = random.candles(900)
        view.setData(candles)
        view.addStudy(StudySettings(.rsi))
        view.addStudy(StudySettings(.bollinger))
        view.draw()
        return (view, candles[899])
    }

    @Test("each change says how much of the picture it touches")
    func levels() {
        var (view, last) = chart()
        #expect(view.draw() == .none)
        view.setCrosshair(x: 100, y: 100)
        #expect(view.draw() == .cursor)
        view.ingest(Tick(timestamp: last.timestamp + 3, price: last.close + 0.1, volume: 1))
        #expect(view.draw() == .lastBar)
        view.pan(byPixels: 30)
        #expect(view.draw() == .viewport)
        view.setTheme(.light)
        view.setCrosshair(x: 101, y: 100)
        #expect(view.draw() == .everything)
        view.setTheme(.light)
        view.setKind(.line)
        #expect(view.draw() == .everything && view.draw() == .none)
    }

    @Test("a crosshair leaves the base as it is, word for word and in its place")
    func overlayAlone() {
        var (view, _) = chart()
        let words = view.base.words.map { $0 }
        let address = view.base.words.withUnsafeBufferPointer { $0.baseAddress }
        for step in 0..<50 {
            view.setCrosshair(x: Double(step * 15), y: Double(step * 11))
            let before = view.overlay.words.map { $0 }
            #expect(view.draw() == .cursor)
            #expect(view.overlay.words != before)
        }
        #expect(view.base.words == words && view.base.words.withUnsafeBufferPointer { $0.baseAddress } == address)
    }

    @Test("segments drawn one by one are the picture drawn at once", arguments: 1...10)
    func segments(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var (view, _) = chart()
        var list = DisplayList()
        for _ in 0..<60 {
            switch Int(random.unit() * 7) {
            case 0: view.setCrosshair(x: random.unit() * 900, y: random.unit() * 600)
            case 1: view.pan(byPixels: random.unit() * 400 - 200)
            case 2: view.zoom(by: 0.5 + random.unit(), atX: random.unit() * 900)
            case 3: view.moveCrosshair(byBars: Int(random.unit() * 20) - 10)
            case 4: view.dragDivider(below: 0, byPixels: random.unit() * 100 - 50)
            case 5: view.setScale(ofPane: 0, PriceScaleSettings(kind: random.element(PriceScaleKind.allCases)))
            default: view.setKind(random.element(SeriesKind.allCases))
            }
            view.draw()
            var fresh = view
            fresh.mark(.everything)
            fresh.render(into: &list)
            #expect(list.words == view.base.words + view.overlay.words)
        }
    }

    @Test("the crosshair's box leaves no part of a number beside it")
    func boxes() {
        var (view, _) = chart()
        for y in stride(from: 5.0, to: 380, by: 3) {
            view.setCrosshair(x: 300, y: y)
            view.draw()
            let fills = view.overlay.commands.filter { $0.opcode == .fillRects }
            let boxes = view.overlay.commands.filter { $0.opcode == .roundRect }.map { $0.operands }
            guard let box = boxes.first(where: { $0.number(1) > 1600 }) else { continue }
            let (top, bottom) = (box.number(2), box.number(2) + box.number(4))
            for text in view.base.commands where text.opcode == .text && text.operands.number(1) > 1600 {
                let (middle, half) = (text.operands.number(2), text.operands.number(3) * 0.4)
                guard middle + half > top, middle - half < bottom else { continue }
                // Either wholly under the box, or painted over.
                let isUnder = middle - half >= top && middle + half <= bottom
                let isHidden = fills.contains { fill in
                    stride(from: 1, to: fill.operands.count, by: 4).contains { at in
                        fill.operands.number(at + 1) <= middle - half
                            && fill.operands.number(at + 1) + fill.operands.number(at + 3) >= middle + half
                    }
                }
                let isLabel = text.operands.word(0) == Theme.dark.labelText.rgba
                #expect(isUnder || isHidden || isLabel, "y \(y)")
            }
        }
    }
}
