import MarketModel
import TestKit
import Testing

@testable import ChartScene

@Suite("The viewport")
struct ViewportTests {
    private let width = 1000.0

    private func live(_ count: Int) -> Viewport {
        var viewport = Viewport()
        viewport.followLive(Reach(count: count), plotWidth: width)
        return viewport
    }

    @Test("a zoom keeps the bar under the pointer", arguments: [0.25, 0.9, 1.1, 3.0], [100.0, 500, 930])
    func zoom(factor: Double, x: Double) {
        var viewport = live(5000)
        viewport.pan(byPixels: 9000, Reach(count: 5000), plotWidth: width)
        let before = viewport.index(atX: x, plotWidth: width)
        viewport.zoom(by: factor, atX: x, Reach(count: 5000), plotWidth: width)
        #expect(abs(viewport.index(atX: x, plotWidth: width) - before) < 1e-9)
    }

    @Test("zooming in and out again comes back")
    func zoomBack() {
        var viewport = live(5000)
        let before = viewport
        viewport.zoom(by: 2, atX: 300, Reach(count: 5000), plotWidth: width)
        viewport.zoom(by: 0.5, atX: 300, Reach(count: 5000), plotWidth: width)
        #expect(abs(viewport.right - before.right) < 1e-9 && viewport.barSpacing == before.barSpacing)
    }

    @Test("the bar spacing stays between its limits, except to show all bars")
    func limits() {
        var viewport = live(100)
        viewport.zoom(by: 1e9, atX: 0, Reach(count: 100), plotWidth: width)
        #expect(viewport.barSpacing == 60)
        viewport.zoom(by: 1e-9, atX: 0, Reach(count: 100), plotWidth: width)
        #expect(viewport.barSpacing == 0.5)
        viewport.zoom(by: 1e-9, atX: 0, Reach(count: 100_000), plotWidth: width)
        #expect(viewport.barSpacing == 0.01)
    }

    @Test("a drag to the right shows older bars, as many as it is wide")
    func pan() {
        var viewport = live(5000)
        let right = viewport.right
        viewport.pan(byPixels: 700, Reach(count: 5000), plotWidth: width)
        #expect(abs(right - viewport.right - 100) < 1e-9)
        viewport.pan(byBars: 40, Reach(count: 5000), plotWidth: width)
        #expect(abs(right - viewport.right - 60) < 1e-9)
    }

    @Test("the view follows while the newest bar is on screen")
    func following() {
        var viewport = live(5000)
        #expect(viewport.isFollowing)
        viewport.pan(byPixels: 40, Reach(count: 5000), plotWidth: width)
        #expect(viewport.isFollowing)
        viewport.pan(byPixels: 20, Reach(count: 5000), plotWidth: width)
        #expect(!viewport.isFollowing)
        viewport.pan(byPixels: -60, Reach(count: 5000), plotWidth: width)
        #expect(viewport.isFollowing)
    }

    @Test("bars stay on screen however far one drags", arguments: [1e6, -1e6, 1e300, -1e300])
    func ends(dx: Double) {
        var viewport = live(500)
        viewport.pan(byPixels: dx, Reach(count: 500), plotWidth: width)
        #expect(viewport.visibleBars(count: 500, plotWidth: width).count >= 2)
    }

    private func chart(_ count: Int) -> ChartView {
        var random = SeededGenerator(seed: 21)
        var view = ChartView()
        view.resize(width: 900, height: 500, devicePixelRatio: 2)
        view.setData(random.candles(count))
        return view
    }

    @Test("few bars are spread, many have the usual distance", arguments: [1, 2, 7, 40, 100, 1000])
    func spacing(count: Int) {
        var view = chart(count)
        let expected = min(max(view.plotWidth * 0.75 / Double(count), 7), 24)
        #expect(view.barSpacing == expected && view.isFollowing)
        let newest = view.viewport.x(ofIndex: Double(count - 1), plotWidth: view.plotWidth)
        #expect(abs(view.plotWidth - newest - 48) < 1e-9)
        view.zoom(by: 1.5, atX: 400)
        #expect(view.barSpacing == expected * 1.5)
        view.fit()
        #expect(view.barSpacing == expected)
    }

    @Test("their distance shrinks as bars come, until the user zooms; older bars leave it")
    func spreading() {
        var view = chart(40)
        var random = SeededGenerator(seed: 22)
        let next = random.candles(200)
        let before = view.barSpacing
        for candle in next[40..<60] { view.place(candle, final: true) }
        #expect(view.barSpacing < before)
        let newest = view.viewport.x(ofIndex: 59, plotWidth: view.plotWidth)
        #expect(abs(view.plotWidth - newest - 48) < 1e-6)
        view.zoom(by: 1.5, atX: 400)
        let zoomed = view.barSpacing
        for candle in next[60..<80] { view.place(candle, final: true) }
        #expect(view.barSpacing == zoomed)

        var early = chart(7)
        early.prepend(random.candles(100, from: 1_700_000_040 - 6000))
        early.place(next[7], final: true)
        #expect(early.barSpacing == 24)
        early.setData(random.candles(1000))
        #expect(early.barSpacing == 7)
    }

    @Test("a zoom outlives other bars, unless they are few and it would cram them")
    func zoomAndData() {
        var random = SeededGenerator(seed: 23)
        for (factor, many, few) in [(0.5, 3.5, 24.0), (5, 35, 35)] {
            var view = chart(1000)
            view.zoom(by: factor, atX: 400)
            view.setTimeframe(.m1)
            view.setData(random.candles(900))
            #expect(view.barSpacing == many)
            view.setTimeframe(.m1)
            view.setData(random.candles(7))
            #expect(view.barSpacing == few)
        }
    }

    @Test("numbers that are none change nothing")
    func hostile() {
        var viewport = live(500)
        let before = viewport
        viewport.pan(byPixels: .nan, Reach(count: 500), plotWidth: width)
        viewport.zoom(by: .nan, atX: 1, Reach(count: 500), plotWidth: width)
        viewport.zoom(by: 0, atX: 1, Reach(count: 500), plotWidth: width)
        viewport.zoom(by: 2, atX: .infinity, Reach(count: 500), plotWidth: width)
        #expect(viewport == before)
    }
}
