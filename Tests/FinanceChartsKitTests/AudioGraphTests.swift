import FinanceChartsKit
import Testing

@MainActor
@Suite struct AudioGraphTests {
    private func controller(_ closes: [Double], precision: Int? = 2) -> ChartController {
        let controller = ChartController()
        controller.symbol = "BTC-USD"
        controller.timeframe = .m1
        controller.precision = precision
        controller.setData(
            closes.enumerated().map { index, close in
                Candle(
                    timestamp: 1_737_972_000 + 60 * Double(index), open: close, high: close, low: close, close: close,
                    volume: 1)
            })
        return controller
    }

    @Test("without bars there is no graph")
    func empty() { #expect(ChartController().audioGraph() == nil) }

    @Test("axes, points and summary are those of the bars")
    func bars() throws {
        let graph = try #require(controller([100, 120, 90, 110]).audioGraph())
        #expect(graph.points.map(\.price) == [100, 120, 90, 110])
        #expect(graph.points.map(\.time) == [0, 60, 120, 180].map { 1_737_972_000 + $0 })
        #expect(graph.points[2].label == "Bar 3 of 4: open 90.00, high 90.00, low 90.00, close 90.00, up")
        #expect(graph.time.range == 1_737_972_000...1_737_972_180)
        #expect(graph.price.range == 90...120)
        #expect(graph.price.isLogarithmic && !graph.time.isLogarithmic)
        #expect(graph.price.ticks == [90, 95, 100, 105, 110, 115, 120])
        #expect(graph.text(price: 95) == "95.00")
        #expect(AudioGraph.text(time: graph.time.ticks[0]) == "2025-01-27 10:00 UTC")
        #expect(
            graph.summary == "4 bars from 2025-01-27 10:00 UTC to 2025-01-27 10:03 UTC: "
                + "lowest 90.00, highest 120.00, last 110.00, up 10.00%.")
    }

    @Test(
        "axes have two ends, and ticks within them, whatever the prices are", arguments: [1e-8, 0.5, 1, 67_234.5, 1e12])
    func oneBar(price: Double) throws {
        let graph = try #require(controller([price], precision: nil).audioGraph())
        #expect(graph.price.range.lowerBound < price && price < graph.price.range.upperBound)
        #expect(graph.time.range.upperBound - graph.time.range.lowerBound == 60)
        #expect(graph.price.ticks.allSatisfy(graph.price.range.contains))
        #expect(graph.summary.hasPrefix("1 bar from"))
    }

    @Test("the graph has what is on screen, and the newest of it where that is too much")
    func visible() throws {
        let controller = controller((0..<1000).map { 100 + Double($0) })
        controller.resize(width: 800, height: 400, devicePixelRatio: 1)
        let shown = try #require(controller.audioGraph()).points
        #expect((90...101).contains(shown.count) && shown.last?.price == 1099)
        controller.pan(byBars: -300)
        let moved = try #require(controller.audioGraph()).points
        #expect(moved.last.map { $0.price < 820 } == true)
        #expect(try #require(controller.audioGraph(maxBars: 10)).points == Array(moved.suffix(10)))
        controller.setZoom(0.1)
        #expect(try #require(controller.audioGraph()).points.count == 500)
    }
}
