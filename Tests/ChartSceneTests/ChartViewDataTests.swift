import ChartScene
import MarketModel
import TestKit
import Testing

@Suite("Data of a chart")
struct ChartViewDataTests {
    private let start = 1_700_000_040.0

    private func chart(_ count: Int) -> ChartView {
        var random = SeededGenerator(seed: 11)
        var view = ChartView()
        view.resize(width: 900, height: 500, devicePixelRatio: 2)
        view.setData(random.candles(count, from: start))
        return view
    }

    /// The time under a pixel, in bars since `start`.
    private func position(_ view: ChartView) -> Double {
        Double(view.firstVisible) + ((view.bar(at: 0)?.timestamp ?? 0) - start) / 60
    }

    @Test("new bars move a following view and leave another one where it is")
    func follow() {
        var view = chart(1000)
        let first = view.firstVisible
        view.ingest(Tick(timestamp: start + 1000 * 60, price: 100, volume: 1))
        #expect(view.count == 1001 && view.firstVisible == first + 1 && view.isFollowing)
        view.pan(byPixels: 500)
        #expect(!view.isFollowing)
        let still = view.firstVisible
        view.ingest(Tick(timestamp: start + 1001 * 60, price: 100, volume: 1))
        #expect(view.count == 1002 && view.firstVisible == still)
        view.followLive()
        #expect(view.isFollowing && view.firstVisible == first + 2)
    }

    @Test("ticks continue the last bar of history, then open the next")
    func ticks() throws {
        var view = chart(10)
        let last = try #require(view.bar(at: 9))
        #expect(view.ingest(Tick(timestamp: last.timestamp + 30, price: 500, volume: 2)) == .updated)
        #expect(view.bar(at: 9)?.high == 500 && view.bar(at: 9)?.open == last.open)
        #expect(view.bar(at: 9)?.volume == last.volume + 2)
        #expect(view.ingest(Tick(timestamp: last.timestamp + 61, price: 501, volume: 3)) == [.updated, .appended])
        #expect(view.count == 11)
        #expect(
            view.legend
                == LegendBar(
                    index: 10,
                    candle: Candle(
                        timestamp: last.timestamp + 60, open: 501, high: 501, low: 501, close: 501, volume: 3)))
    }

    @Test("a placed newest bar is where ticks continue, and a final one accepts none")
    func place() throws {
        var view = chart(10)
        let next = Candle(timestamp: start + 600, open: 90, high: 99, low: 80, close: 95, volume: 7)
        #expect(view.place(next, final: false) == .applied)
        #expect(view.place(next, final: false) == .merged)
        view.ingest(Tick(timestamp: start + 610, price: 70, volume: 1))
        #expect(view.bar(at: 10)?.low == 70 && view.bar(at: 10)?.volume == 8)
        #expect(view.place(next, final: true) == .merged)
        #expect(view.ingest(Tick(timestamp: start + 620, price: 60, volume: 1)) == [])
        #expect(view.bar(at: 10) == next)
        #expect(view.ingest(Tick(timestamp: start + 660, price: 60, volume: 1)).contains(.updated))
        #expect(
            view.place(Candle(timestamp: 1, open: 2, high: 1, low: 3, close: 2, volume: 0), final: true)
                == .rejected(.malformed))
    }

    @Test("older bars in front do not move what is on screen", arguments: [0.0, 300, 3000])
    func prepend(drag: Double) {
        var view = chart(1000)
        view.pan(byPixels: drag)
        let before = position(view)
        var random = SeededGenerator(seed: 12)
        let older = random.candles(501, from: start - 500 * 60)
        // The last of them is not older than the oldest one on the chart.
        #expect(view.prepend(older) == 500)
        #expect(view.count == 1500 && position(view) == before)
        #expect(view.prepend(older) == 0)
    }

    @Test("a bar that comes late between others does not move what is on screen")
    func insertion() {
        var view = chart(10)
        var random = SeededGenerator(seed: 13)
        view.setData(random.candles(1000, from: start).filter { $0.timestamp != start + 600 })
        view.pan(byPixels: 900)
        let first = view.firstVisible
        view.place(Candle(timestamp: start + 600, open: 9, high: 9, low: 9, close: 9, volume: 0), final: true)
        #expect(view.firstVisible == first + 1)
    }

    @Test("at the capacity, the view stays on its bars while the oldest are dropped")
    func capacity() {
        var random = SeededGenerator(seed: 14)
        var view = ChartView(capacity: 500)
        view.resize(width: 900, height: 500, devicePixelRatio: 1)
        view.setData(random.candles(500, from: start))
        view.pan(byPixels: 700)
        let before = position(view)
        for bar in 0..<50 { view.ingest(Tick(timestamp: start + Double(500 + bar) * 60, price: 100, volume: 1)) }
        #expect(view.count == 500 && position(view) == before)
    }

    @Test("replacing data can keep the times on screen")
    func keepViewport() {
        var view = chart(1000)
        view.pan(byPixels: 2000)
        let before = position(view)
        var random = SeededGenerator(seed: 15)
        view.setData(random.candles(1300, from: start - 200 * 60), keepViewport: true)
        #expect(position(view) == before && !view.isFollowing)
        view.setData(random.candles(1300, from: start))
        #expect(view.isFollowing)
    }

    @Test("another timeframe forgets the bars")
    func timeframe() {
        var view = chart(100)
        view.setTimeframe(.h1)
        #expect(view.count == 0 && view.legend == nil && !view.needsHistory)
        view.ingest(Tick(timestamp: start, price: 5, volume: 1))
        #expect(view.bar(at: 0)?.timestamp == Timeframe.h1.bucketStart(of: start))
    }

    @Test("history is requested near the oldest bar only")
    func needsHistory() {
        var view = chart(1000)
        #expect(!view.needsHistory)
        view.pan(byBars: -850)
        #expect(view.needsHistory)
        #expect(chart(60).needsHistory)
    }

    @Test("the crosshair finds the bar under it; from the keyboard it goes bar by bar and takes the view along")
    func crosshair() {
        var view = chart(1000)
        view.setCrosshair(x: 0, y: 100)
        #expect(view.legend?.index == view.firstVisible)
        view.setCrosshair(x: 899, y: 100)
        #expect(view.legend?.index == 999)
        view.clearCrosshair()
        view.moveCrosshair(byBars: -1)
        #expect(view.legend?.index == 999)
        for _ in 0..<500 { view.moveCrosshair(byBars: -1) }
        #expect(view.legend?.index == 499)
        #expect(view.firstVisible <= 499)
        view.moveCrosshair(byBars: .min)
        #expect(view.legend?.index == 0)
        view.moveCrosshair(byBars: .max)
        #expect(view.legend?.index == 999 && view.isFollowing)
    }
}
