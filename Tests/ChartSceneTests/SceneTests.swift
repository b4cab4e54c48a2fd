import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("Whole scenes")
struct SceneTests {
    private func scene() -> ChartView {
        var view = ChartView(timeframe: .m5)
        view.resize(width: 420, height: 260, devicePixelRatio: 2)
        view.setSymbol("BTC-USD".utf8, precision: 2)
        // 30 bars from 2023-12-31 22:50 UTC, over the new year.
        let closes = (0..<30).map { 67_230 + Double($0 * 37 % 11 - 5) * 6.5 }
        view.setData(
            closes.enumerated().map { index, close in
                let open = index == 0 ? 67_220 : closes[index - 1]
                return Candle(
                    timestamp: 1_704_063_000 + Double(index) * 300, open: open,
                    high: max(open, close) + Double(index % 3) * 5, low: min(open, close) - Double(index % 4) * 4,
                    close: close, volume: Double(index * 7 % 5) * 250)
            })
        view.setCrosshair(x: 110, y: 120)
        return view
    }

    @Test("a small scene is drawn as recorded")
    func golden() throws {
        var view = scene()
        var list = DisplayList()
        view.render(into: &list)
        try expectGolden(list.dump(), "small")
    }

    @Test("the same chart draws the same words and grows no storage")
    func repeatable() {
        var view = scene()
        var random = SeededGenerator(seed: 2)
        view.setData(random.candles(5000, timeframe: .m5))
        var list = DisplayList()
        for spacing in [1, 0.02] {
            view.zoom(by: spacing, atX: 100)
            view.render(into: &list)
            // A copy in its own storage: a shared one would make the next frame allocate.
            let first = list.words.map { $0 }
            let capacity = list.words.capacity
            let columns = view.scratch.columns.capacity
            for _ in 0..<3 {
                view.render(into: &list)
                #expect(list.words.elementsEqual(first))
            }
            #expect(list.words.capacity == capacity && view.scratch.columns.capacity == columns)
        }
    }

    @Test("drawing again does not move the words")
    func inPlace() {
        var view = scene()
        var list = DisplayList()
        view.render(into: &list)
        let address = list.words.withUnsafeBufferPointer { $0.baseAddress }
        for step in 0..<20 {
            view.setCrosshair(x: Double(step * 10), y: 100)
            view.render(into: &list)
            #expect(list.words.withUnsafeBufferPointer { $0.baseAddress } == address)
        }
    }

    @Test("the price axis keeps its width wherever one looks")
    func axisWidth() {
        var random = SeededGenerator(seed: 9)
        var candles = random.candles(2000)
        candles[0].high = 123_456
        var view = scene()
        view.setData(candles)
        let width = view.plotWidth
        for _ in 0..<50 {
            view.pan(byPixels: random.unit() * 4000 - 2000)
            view.zoom(by: 0.5 + random.unit(), atX: random.unit() * 300)
            #expect(view.plotWidth == width)
        }
    }

    @Test("a narrow chart has fewer labels, not overlapping ones", arguments: [160.0, 320, 390, 1440])
    func labelsApart(width: Double) {
        var random = SeededGenerator(seed: 10)
        var view = scene()
        view.setData(random.candles(3000, timeframe: .m5))
        view.clearCrosshair()
        view.resize(width: width, height: 400, devicePixelRatio: 2)
        var list = DisplayList()
        view.render(into: &list)
        let times = list.commands.filter { $0.opcode == .text && $0.operands.word(4) & 0xFF == 1 }
            .map { $0.operands.number(1) }
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 2 * 40 })
        #expect(width < 300 || times.count >= 2)
    }
}
