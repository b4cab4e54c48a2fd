import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("Zoom and time grid")
struct ZoomTests {
    private func chart(_ timeframe: Timeframe = .m1) -> ChartView {
        var random = SeededGenerator(seed: 9)
        var view = ChartView(timeframe: timeframe)
        view.resize(width: 1000, height: 500, devicePixelRatio: 1)
        view.setData(random.candles(3000, timeframe: timeframe))
        return view
    }

    @Test(
        "zoom is clamped to 0.1 to 10 and shows 100 bars at 1",
        arguments: [(1.0, 100.0), (2, 50), (10, 10), (50, 10), (0.1, 1000), (0.001, 1000), (-1, 1000)])
    func zoom(zoom: Double, bars: Double) {
        var view = chart()
        view.setZoom(zoom)
        #expect(abs(view.visibleCount - bars) < 1e-6 && abs(view.zoom - 100 / bars) < 1e-9)
        #expect(view.isFollowing)
    }

    @Test("a zoom as a number keeps the right edge, and a step of the wheel goes on from it")
    func keepsEdge() {
        var view = chart()
        view.pan(byBars: -500)
        let right = view.viewport.right
        view.setZoom(10)
        #expect(abs(view.viewport.right - right) < 1e-9)
        let spacing = view.barSpacing
        view.zoom(by: 1.2, atX: 100)
        #expect(view.barSpacing == spacing, "no closer than the limit, and not thrown back to it")
        view.zoom(by: 0.5, atX: 100)
        #expect(abs(view.barSpacing - spacing / 2) < 1e-9)
        view.setZoom(.nan)
        #expect(abs(view.barSpacing - spacing / 2) < 1e-9)
    }

    @Test("a time can be gone to")
    func goTo() {
        var view = chart()
        let time = view.series.timestamp(at: 1200) + 25
        view.go(toTime: time)
        let middle = view.viewport.right - view.visibleCount / 2
        #expect(abs(view.index(atTime: time) - middle) < 1e-6 && !view.isFollowing)
        for hostile in [0, -1e300, 1e300, .nan, .infinity] { view.go(toTime: hostile) }
        #expect(view.visibleCount > 0)
    }

    @Test(
        "each timeframe's grid has these intervals at some zoom",
        arguments: [
            (Timeframe.m1, [300.0, 600, 1800]), (.m5, [900, 1800, 3600]), (.m15, [3600, 7200]),
            (.h1, [14_400, 43_200]), (.d1, [86_400, 604_800]),
        ])
    func grid(timeframe: Timeframe, intervals: [Double]) {
        var view = chart(timeframe)
        var list = DisplayList()
        var seen: Set<Double> = []
        view.setZoom(10)
        while view.barSpacing > 0.6 {
            view.render(into: &list)
            seen.insert(view.scratch.timeTicks.step.nominalSeconds)
            view.zoom(by: 0.93, atX: 500)
        }
        #expect(seen.isSuperset(of: intervals), "\(seen.sorted())")
    }
}
