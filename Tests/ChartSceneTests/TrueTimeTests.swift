import MarketModel
import TestKit
import Testing

@testable import ChartScene

/// A scale in time: each bar where its time is.
@Suite("The scale in true time")
struct TrueTimeTests {
    /// Bars of five minutes with nights, weekends and holes of any length between some of them.
    private static func bars(_ random: inout SeededGenerator, _ count: Int) -> [Candle] {
        var candles = random.candles(count, timeframe: .m5)
        var shift = 0.0
        for index in candles.indices {
            if random.unit() < 0.04 { shift += Double(Int(random.unit() * 300)) * 300 }
            candles[index].timestamp += shift
        }
        return candles
    }

    private static func chart(_ seed: UInt64, _ count: Int = 600) -> ChartView {
        var random = SeededGenerator(seed: seed)
        var view = ChartView(timeframe: .m5)
        view.resize(width: 900, height: 500, devicePixelRatio: 1.5)
        view.setSymbol("BTC-USD".utf8, precision: 2)
        view.setData(bars(&random, count))
        view.setTimeScale(.time)
        return view
    }

    private static func time(at x: Double, _ view: inout ChartView) -> Double {
        view.position(x: x, y: 100)?.time ?? .nan
    }

    private static func x(of time: Double, _ view: inout ChartView) -> Double {
        view.point(time: time, price: 100)?.x ?? .nan
    }

    private static func picture(_ view: inout ChartView) -> [UInt32] {
        var list = DisplayList()
        view.render(into: &list)
        return Array(list.words)
    }

    @Test("a bar's distance from another is its time from it, and its width that of its timeframe", arguments: 1...5)
    func proportional(seed: UInt64) {
        let view = Self.chart(seed)
        let time = view.timeScale
        for index in 1..<view.count {
            let seconds = view.series.timestamp(at: index) - view.series.timestamp(at: index - 1)
            #expect(abs(time.x(index) - time.x(index - 1) - seconds / 300 * time.spacing) < 1e-4)
            #expect(time.x(index) > time.x(index - 1))
        }
        #expect(abs(time.right(of: 7) - time.left(of: 7) - time.spacing) < 1e-4)
    }

    @Test("the index at a bar's place is the bar, and places between are between", arguments: 1...5)
    func inverse(seed: UInt64) {
        let view = Self.chart(seed)
        let time = view.timeScale
        var random = SeededGenerator(seed: seed)
        // Beyond the bars they go on, one a bucket.
        for index in -50..<view.count + 50 {
            #expect(abs(time.index(at: time.x(index)) - Double(index)) < 1e-6)
            let between = Double(index) + random.unit()
            #expect(abs(time.index(at: time.x(between)) - between) < 1e-6)
        }
    }

    @Test("a weekend is as wide as two days, and only where time is the scale")
    func weekend() {
        var view = ChartView(timeframe: .d1)
        view.resize(width: 900, height: 500, devicePixelRatio: 1)
        var random = SeededGenerator(seed: 8)
        // 2023-11-13 was a Monday.
        view.setData(
            random.candles(100, timeframe: .d1, from: 1_699_833_600).enumerated().filter { $0.offset % 7 < 5 }.map(
                \.element))
        let week = { (view: ChartView) in (view.timeScale.x(5) - view.timeScale.x(0)) / view.timeScale.spacing }
        #expect(abs(week(view) - 5) < 1e-9)
        view.setTimeScale(.time)
        #expect(abs(week(view) - 7) < 1e-9)
        #expect(abs(view.timeScale.x(5) - view.timeScale.x(4) - 3 * view.timeScale.spacing) < 1e-9)
        // Saturday has a place and a time, too: the axis labels its own days.
        view.draw()
        let ticks = view.scratch.timeTicks.ticks
        #expect(
            ticks.contains { tick in !(0..<view.count).contains { view.series.timestamp(at: $0) == tick.timestamp } })
        for tick in ticks { #expect(abs(tick.place * 86_400 - tick.timestamp) < 1e-3) }
    }

    @Test("a zoom keeps the time under the pointer, a drag moves as many pixels as it is long", arguments: 1...5)
    func moving(seed: UInt64) {
        var view = Self.chart(seed)
        view.pan(byPixels: 2000)
        let before = Self.time(at: 333, &view)
        view.zoom(by: 1.7, atX: 333)
        #expect(abs(Self.time(at: 333, &view) - before) < 1e-3)
        #expect(abs(Self.x(of: before, &view) - 333) < 1e-3)
        view.pan(byPixels: 40)
        #expect(abs(Self.x(of: before, &view) - 373) < 1e-3)
        #expect(!view.isFollowing)
        view.fit()
        #expect(view.isFollowing)
    }

    @Test("the view stays between the oldest and the newest bar, however far it is dragged", arguments: [1e9, -1e9])
    func limits(dx: Double) {
        var view = Self.chart(3)
        view.pan(byPixels: dx)
        #expect(!view.visibleBars.isEmpty)
        #expect(view.visibleBars.contains(dx > 0 ? 0 : view.count - 1))
        view.zoom(by: 1e-9, atX: 0)
        // All of the time fits, as all of the bars would.
        #expect(abs(view.visibleCount - view.reach.length) < 1e-6)
    }

    @Test("switching keeps the time in the middle; a view that follows goes on following", arguments: 1...5)
    func switching(seed: UInt64) {
        var view = Self.chart(seed)
        #expect(view.isFollowing)
        let newest = view.timeScale.x(view.count - 1)
        view.setTimeScale(.bars)
        #expect(view.isFollowing && abs(view.timeScale.x(view.count - 1) - newest) < 1e-3)
        view.setTimeScale(.time)
        view.pan(byPixels: 1500)
        let middle = Self.time(at: view.paneWidth / 2, &view)
        view.setTimeScale(.bars)
        #expect(abs(Self.time(at: view.paneWidth / 2, &view) - middle) < 1)
        view.pan(byPixels: 1)
        view.setTimeScale(.time)
        #expect(view.timeScaleKind == .time)
    }

    @Test("switched there and back it is the same picture, word for word", arguments: 1...5, [0.0, 700])
    func back(seed: UInt64, dx: Double) {
        var view = Self.chart(seed)
        view.pan(byPixels: dx)
        for _ in 0..<2 {
            let before = Self.picture(&view)
            view.setTimeScale(view.timeScaleKind == .time ? .bars : .time)
            #expect(Self.picture(&view) != before)
            view.setTimeScale(view.timeScaleKind == .time ? .bars : .time)
            #expect(Self.picture(&view) == before)
            view.setTimeScale(view.timeScaleKind == .time ? .bars : .time)
        }
    }

    @Test("a live bar after a hole stays where the newest bar was; a view of the past does not move")
    func live() throws {
        var view = Self.chart(4)
        let last = try #require(view.series.last)
        var next = last
        let margin = view.paneWidth - view.timeScale.x(view.count - 1) / 1.5
        next.timestamp += 300 * 40
        view.place(next, final: false)
        #expect(view.isFollowing)
        #expect(abs(view.paneWidth - view.timeScale.x(view.count - 1) / 1.5 - margin) < 1e-3)
        view.pan(byPixels: 3000)
        let right = view.viewport.right
        next.timestamp += 300
        view.place(next, final: false)
        view.prepend(
            (1...20).map { step in
                var older = view.series[0]
                older.timestamp -= Double(21 - step) * 600
                return older
            })
        #expect(view.viewport.right == right)
    }

    @Test("bars that leave at the cap and another set of them do not move a view of the past")
    func capped() throws {
        var view = ChartView(timeframe: .m5, capacity: 600)
        view.resize(width: 900, height: 500, devicePixelRatio: 1)
        view.setTimeScale(.time)
        var random = SeededGenerator(seed: 4)
        let candles = Self.bars(&random, 900)
        view.setData(candles.prefix(600))
        view.pan(byPixels: 900)
        let right = view.viewport.right
        for candle in candles[600..<640] { view.place(candle, final: true) }
        #expect(view.count == 600 && view.viewport.right == right)
        view.setData(candles.prefix(600), keepViewport: true)
        #expect(view.viewport.right == right)
    }

    @Test("columns of pixels lose no extreme, and holes stay empty", arguments: 1...8)
    func columns(seed: UInt64) {
        var view = Self.chart(seed, 20_000)
        view.zoom(by: 1e-9, atX: view.paneWidth)
        view.draw()
        #expect(view.frame.candle == nil)
        let time = view.timeScale
        var byPixel: [Double: [Int]] = [:]
        for index in view.visibleBars { byPixel[time.x(index).rounded(.down), default: []].append(index) }
        let columns = view.scratch.columns
        #expect(columns.map(\.x) == byPixel.keys.sorted())
        for column in columns {
            let bars = byPixel[column.x, default: []]
            #expect(column.low == bars.map { view.series.low(at: $0) }.min())
            #expect(column.high == bars.map { view.series.high(at: $0) }.max())
        }
    }

    @Test("the crosshair shows the nearest bar in time, and steps from bar to bar into view", arguments: 1...5)
    func crosshair(seed: UInt64) {
        var view = Self.chart(seed)
        view.pan(byPixels: 2500)
        let time = view.timeScale
        for x in stride(from: 1.0, to: view.paneWidth, by: 37) {
            view.setCrosshair(x: x, y: 100)
            guard let bar = view.crosshairIndex, view.visibleBars.contains(bar) else { continue }
            let away = { (index: Int) in abs(time.x(index) - x * 1.5) }
            #expect(away(bar) <= away(max(bar - 1, 0)) + 1e-3 && away(bar) <= away(min(bar + 1, view.count - 1)) + 1e-3)
        }
        for step in [-1, -40, 25, 300, -800, 1] {
            view.moveCrosshair(byBars: step)
            let x = view.crosshairIndex.map { view.timeScale.x($0) } ?? -1
            #expect(x > 0 && x < view.paneWidth * 1.5)
        }
    }

    @Test("in the middle of a hole the scale is that of the bar before it")
    func hole() throws {
        var random = SeededGenerator(seed: 6)
        var candles = random.candles(40, timeframe: .m1)
        for index in 20..<40 { candles[index].timestamp += 86_400 * 30 }
        var view = ChartView(timeframe: .m1)
        view.resize(width: 600, height: 400, devicePixelRatio: 1)
        view.setTimeScale(.time)
        view.setData(candles)
        view.go(toTime: candles[19].timestamp + 86_400 * 15)
        #expect(view.visibleBars.isEmpty)
        view.draw()
        #expect(view.frame.scaled == 19..<20)
        #expect(view.frame.scales[0].low <= candles[19].low && view.frame.scales[0].high >= candles[19].high)
        #expect(!view.frame.ticks[0].ys.isEmpty && !view.scratch.timeTicks.ticks.isEmpty)
    }

    @Test("a drawing between two bars is at its time, also where there is no bar")
    func drawings() throws {
        var view = Self.chart(2)
        let gap = try #require(
            (1..<view.count).first {
                view.series.timestamp(at: $0) - view.series.timestamp(at: $0 - 1) > 3000
            })
        let time = view.series.timestamp(at: gap) - 1500
        let drawn = view.drawingSpace()
        let space = try #require(drawn)
        let x = space.point(DrawingAnchor(time: time, price: 100)).x
        #expect(abs(view.timeScale.x(gap) - x - 5 * view.timeScale.spacing) < 1e-3)
    }

    @Test("a million bars cost no more a frame than a few", arguments: [10_000, 1_000_000])
    func many(count: Int) {
        var view = ChartView(timeframe: .m1, capacity: count)
        view.resize(width: 1200, height: 700, devicePixelRatio: 2)
        var random = SeededGenerator(seed: 1)
        view.setData(random.candles(count))
        view.setTimeScale(.time)
        view.zoom(by: 1e-9, atX: view.paneWidth)
        view.draw()
        #expect(view.scratch.columns.count <= 2400)
        #expect(view.visibleBars.count > count * 9 / 10)
    }

    @Test("with other bars in between, switching back shows them and no place of before")
    func otherBars() {
        var random = SeededGenerator(seed: 9)
        var view = ChartView(timeframe: .m1, capacity: 1000)
        view.resize(width: 500, height: 300, devicePixelRatio: 1)
        view.setData(random.candles(300))
        view.setTimeScale(.time)
        view.setTimeScale(.bars)
        view.setTimeframe(.m5)
        view.setData(
            random.candles(300).enumerated().map { index, candle in
                Candle(
                    timestamp: 1_700_000_100 + Double(index) * 300, open: candle.open, high: candle.high,
                    low: candle.low, close: candle.close, volume: candle.volume)
            })
        view.setTimeScale(.time)
        #expect(view.isFollowing && view.visibleBars.contains(view.count - 1))
    }
}
