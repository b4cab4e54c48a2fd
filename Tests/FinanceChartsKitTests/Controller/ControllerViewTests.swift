import Observation
import Testing

@testable import FinanceChartsKit

@Suite("A chart's view")
@MainActor
struct ControllerViewTests {
    static func chart(_ count: Int = 500, width: Double = 800) -> ChartController {
        let controller = ChartController()
        controller.resize(width: width, height: 400, devicePixelRatio: 1)
        controller.setData(walk(count))
        return controller
    }

    @Test("it begins at the newest bars and follows them")
    func newest() {
        let controller = Self.chart()
        #expect(controller.isFollowing)
        #expect(controller.view.viewport.right >= 499)
        let right = controller.view.viewport.right
        controller.append(.at(1_700_000_040 + 500 * 60))
        #expect(controller.view.viewport.right == right + 1)
        controller.pan(byBars: -20)
        #expect(!controller.isFollowing)
        let stays = controller.view.viewport.right
        controller.append(.at(1_700_000_040 + 501 * 60))
        #expect(controller.view.viewport.right == stays)
    }

    @Test("the change is counted from the reference price, not from what happens to be visible")
    func reference() {
        let controller = Self.chart(width: 800)
        controller.setData([.at(60, 100), .at(120, 100), .at(180, 125)])
        #expect(controller.headline.percent == "+25.00%")
        controller.referencePrice = 200
        #expect(controller.headline.percent == "-37.50%")
        controller.setZoom(10)
        controller.pan(byBars: -2)
        #expect(controller.headline.percent == "-37.50%")
    }

    @Test("100 bars fit at zoom 1")
    func window() {
        let controller = Self.chart()
        #expect(abs(controller.view.visibleCount - 100) < 1e-9)
        controller.setZoom(2)
        #expect(abs(controller.view.visibleCount - 50) < 1e-9)
        #expect(controller.isFollowing)
        controller.resize(width: 600, height: 300, devicePixelRatio: 2)
        #expect(abs(controller.view.visibleCount - 50) < 1e-9)
        controller.resetZoomAndPan()
        #expect(controller.zoom == 1 && abs(controller.view.visibleCount - 100) < 1e-9)
    }

    @Test(
        "zoom is clamped to 0.1…10",
        arguments: [(0.1, 0.1), (0.05, 0.1), (1e-300, 0.1), (10, 10), (11, 10), (1e300, 10), (3, 3)])
    func clamped(requested: Double, expected: Double) {
        let controller = Self.chart(2000, width: 500)
        var said: [ChartAnnouncement] = []
        controller.onAnnouncement = { said.append($0) }
        controller.setZoom(requested)
        #expect(controller.zoom == expected)
        #expect(abs(controller.view.visibleCount - 100 / expected) < 1e-6)
        #expect(said == (requested == expected ? [] : [.limitReached]))
    }

    @Test("a zoom that is no number changes nothing", arguments: [0, -1, .nan, .infinity] as [Double])
    func noZoom(requested: Double) {
        let controller = Self.chart()
        controller.setZoom(requested)
        controller.zoom(by: requested, atX: 100)
        controller.zoom(by: 2, atX: .nan)
        #expect(controller.zoom == 1)
    }

    @Test("a gesture zooms about its place, within the same limits")
    func gesture() {
        let controller = Self.chart()
        let plotWidth = controller.view.visibleCount * controller.view.barSpacing
        let under = controller.view.viewport.index(atX: 200, plotWidth: plotWidth)
        controller.zoom(by: 2, atX: 200)
        #expect(controller.zoom == 2)
        #expect(abs(controller.view.viewport.index(atX: 200, plotWidth: plotWidth) - under) < 1e-9)
        for _ in 0..<20 { controller.zoom(by: 2, atX: 200) }
        #expect(controller.zoom == 10)
        for _ in 0..<20 { controller.zoom(by: 0.5, atX: 200) }
        #expect(controller.zoom == 0.1)
    }

    @Test("pan stops where two bars are left")
    func pan() {
        let controller = Self.chart()
        controller.pan(byBars: -10_000_000)
        #expect(controller.view.viewport.right == 1.5)
        controller.pan(byBars: Int.max)
        controller.pan(byPixels: .infinity)
        #expect(controller.isFollowing)
    }

    @Test("the crosshair shows its bar, stays off the plot's outside, and goes away")
    func crosshair() throws {
        let controller = Self.chart()
        let without = controller.displayList()
        controller.setCrosshair(x: 100)
        let bar = try #require(controller.legend)
        #expect(bar.index < 499)
        let with = controller.displayList()
        #expect(with != without)
        controller.moveCrosshair(byBars: 1)
        #expect(controller.legend?.index == bar.index + 1)
        controller.setCrosshair(x: 5000)
        #expect(controller.legend?.index == 499)
        controller.setCrosshair(x: .nan)
        controller.setCrosshair(x: nil)
        #expect(controller.displayList() == without)
        controller.setCrosshair(x: 100, y: 100)
        #expect(controller.displayList() != with)
    }

    @Test("timeframes go up and down and saturate at the ends")
    func cycle() {
        let controller = ChartController()
        var said: [ChartAnnouncement] = []
        controller.onAnnouncement = { said.append($0) }
        controller.cycleTimeframeUp()
        #expect(controller.timeframe == .m3)
        for _ in 0..<30 { controller.cycleTimeframeUp() }
        #expect(controller.timeframe == .mo1 && said.last == .limitReached)
        for _ in 0..<30 { controller.cycleTimeframeDown() }
        #expect(controller.timeframe == .s1 && said.last == .limitReached)
        #expect(said.contains(.timeframe(.d1)))
    }

    @Test("the headline has ticker, price, percent, timeframe and status in their formats")
    func headline() {
        let controller = ChartController()
        controller.symbol = "BTC-USD"
        #expect(
            controller.headline.price == "–" && controller.headline.percent == "" && controller.headline.status == "")
        controller.setData([.at(60, 67_000), .at(120, 67_234.5)])
        controller.setConnectionStatus(true)
        #expect(controller.headline.ticker == "BTC-USD")
        #expect(controller.headline.price == "67234.50")
        #expect(controller.headline.percent == "+0.35%")
        #expect(controller.headline.timeframe == "1m")
        #expect(controller.headline.status == "LIVE")
        controller.setConnectionStatus(false)
        #expect(controller.headline.status == "RECONNECTING...")
        controller.setData([.at(60, 0.000_012_34), .at(120, 0.000_012_33)])
        #expect(controller.headline.price == "0.00001233")
        controller.setData([.at(60, 100), .at(120, 99.999_9)])
        #expect(controller.headline.percent == "+0.00%", "a rounded zero is no fall")
    }

    @Test("the picture shows the connection state")
    func status() {
        let controller = Self.chart()
        let unknown = controller.displayList()
        controller.setConnectionStatus(true)
        let live = controller.displayList()
        controller.setConnectionStatus(false)
        let lost = controller.displayList()
        func texts(_ list: DisplayList) -> [String] {
            list.commands.filter { $0.opcode == .text }.map { String(decoding: $0.operands.utf8, as: UTF8.self) }
        }
        #expect(!texts(unknown).contains("LIVE") && texts(live).contains("LIVE"))
        #expect(texts(lost).contains("RECONNECTING...") && !texts(lost).contains("LIVE"))
    }

    @Test("another theme is another picture of the same shapes")
    func theme() {
        let controller = Self.chart()
        let dark = controller.displayList()
        controller.setTheme(.light)
        let light = controller.displayList()
        #expect(dark != light && dark.words.count == light.words.count)
        #expect(controller.theme == .light)
    }

    @Test("data appended from other threads changes it on the main actor, which notifies its observers")
    func fedFromElsewhere() async {
        let controller = Self.chart()
        var reported = 0
        for number in 500..<510 {
            withObservationTracking {
                _ = controller.lastPrice
            } onChange: {
                // Traps on any other thread.
                MainActor.assumeIsolated { reported += 1 }
            }
            let candle = Candle.at(1_700_000_040 + Double(number) * 60)
            await Task.detached { _ = await controller.append(candle) }.value
        }
        #expect(reported == 10)
    }

    @Test("observers are notified once for each change")
    func observed() {
        let controller = Self.chart()
        var reported = 0
        func look() {
            withObservationTracking {
                _ = controller.lastPrice
            } onChange: {
                MainActor.assumeIsolated { reported += 1 }
            }
        }
        look()
        controller.apply((500..<510).map { .at(1_700_000_040 + Double($0) * 60) })
        #expect(reported == 1)
        look()
        _ = controller.displayList()
        #expect(reported == 1, "drawing is no change")
    }

    @Test("nothing changed, nothing drawn")
    func cached() {
        var drawn = 0
        let controller = ChartController {
            drawn += 1; return 0
        }
        controller.setData(walk(100))
        let list = controller.displayList()
        let before = drawn
        #expect(controller.displayList() == list && drawn == before)
        controller.pan(byBars: -1)
        #expect(controller.displayList() != list && drawn > before)
    }

    @Test("precision comes from the data unless it is said")
    func precision() {
        let controller = ChartController()
        controller.setData([.at(60, 1.25), .at(120, 1.5)])
        #expect(controller.shownPrecision == 2)
        controller.precision = 4
        #expect(controller.shownPrecision == 4 && controller.headline.price == "1.5000")
        controller.precision = nil
        #expect(controller.shownPrecision == 2)
    }
}
