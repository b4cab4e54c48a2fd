import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("A chart's levels of detail")
struct ChartViewLevelsTests {
    @Test("they follow every change of the bars, at the cap too", arguments: 1...16)
    func followData(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var view = ChartView(timeframe: .m1, capacity: [60, 500, 5000][seed % 3])
        view.resize(width: 500, height: 300, devicePixelRatio: 1)
        var candles = random.candles(400)
        for _ in 0..<300 {
            let newest = view.series.last?.timestamp ?? 1_700_000_040
            switch random.element([0, 1, 1, 1, 1, 2, 2, 3, 4]) {
            case 0:
                if random.unit() < 0.1 { view.setData(candles.shuffled(using: &random), keepViewport: true) }
            case 1:
                candles = random.candles(1, from: newest + 60)
                view.place(candles[0], final: random.unit() < 0.5)
            case 2:
                for _ in 0..<3 {
                    view.ingest(
                        Tick(timestamp: newest + random.unit() * 90, price: 50 + random.unit() * 90, volume: 1))
                }
            case 3:
                let back = Double(Int(random.unit() * 700)) * 60
                view.place(random.candles(1, from: max(60, newest - back))[0], final: true)
            default:
                let oldest = view.series.first?.timestamp ?? 1_700_000_040
                view.prepend(random.candles(70, from: oldest - 60 * 60))
            }
            let all = view.pyramid.extremes(view.series, 0..<view.count)
            #expect(all.low == (0..<view.count).map { view.series.low(at: $0) }.min() ?? .infinity)
            #expect(all.high == (0..<view.count).map { view.series.high(at: $0) }.max() ?? -.infinity)
            #expect(view.priceCeiling >= all.high || view.count == 0)
        }
    }

    @Test("a chart filled piece by piece is the chart that got all at once", arguments: [false, true])
    func pieces(keep: Bool) {
        var random = SeededGenerator(seed: 77)
        let candles = random.candles(3000)
        var whole = ChartView(capacity: 2000)
        whole.resize(width: 700, height: 400, devicePixelRatio: 2)
        whole.setData(candles.prefix(1500))
        whole.pan(byBars: -300)
        var pieces = whole
        whole.setData(candles, keepViewport: keep)
        var bars = pieces.beginData(expecting: 10, keepViewport: keep)
        #expect(pieces.count == 0)
        for candle in candles { bars.add(candle) }
        #expect(pieces.finishData(bars) == 2000)
        var a = DisplayList()
        var b = DisplayList()
        whole.render(into: &a)
        pieces.render(into: &b)
        #expect(a == b)
        #expect(a.words.count > 100)
    }

    @Test("older bars come in front page by page, and what is on screen does not move", arguments: 1...6)
    func pages(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var candles = random.candles(5000)
        // The axis has room for the highest price from the start, so that older bars do not widen it.
        candles[4999].high = 5000
        var view = ChartView(capacity: 4000)
        view.resize(width: 700, height: 400, devicePixelRatio: 1)
        view.setData(candles[4000...])
        view.pan(byBars: -200)
        view.zoom(by: 0.1, atX: 350)
        let time = view.series.timestamp(at: min(Int(view.viewport.right), view.count - 1))
        var end = 4000
        while end > 0 {
            let start = max(0, end - 1 - Int(random.unit() * 600))
            let room = view.series.capacity - view.count
            #expect(view.prepend(candles[start..<end]) == min(end - start, room))
            end = start
        }
        #expect(view.count == 4000)
        #expect(view.series.timestamp(at: min(Int(view.viewport.right), view.count - 1)) == time)
        var direct = ChartView(capacity: 4000)
        direct.resize(width: 700, height: 400, devicePixelRatio: 1)
        direct.setData(candles)
        direct.viewport = view.viewport
        var a = DisplayList()
        var b = DisplayList()
        view.render(into: &a)
        direct.render(into: &b)
        #expect(a == b)
    }

    @Test("another cap drops the oldest bars and leaves the picture where it is")
    func setsCapacity() {
        var random = SeededGenerator(seed: 9)
        var view = ChartView(capacity: 5000)
        view.resize(width: 700, height: 400, devicePixelRatio: 1)
        view.setData(random.candles(5000))
        view.pan(byBars: -100)
        let time = view.series.timestamp(at: view.firstVisible)
        view.setCapacity(1000)
        #expect(view.count == 1000)
        #expect(view.series.timestamp(at: view.firstVisible) == time)
        #expect(view.pyramid.count == 1000)
        view.setCapacity(6000)
        #expect(view.count == 1000)
        #expect(view.prepend(random.candles(300, from: 1_700_000_040)) == 300)
    }
}
