import FinanceChartsKit
import Foundation

#if canImport(SwiftUI)
    import SwiftUI
#endif

/// The code of the kit's articles, each block between `snippet` and `end`.
@MainActor
enum KitSnippets {
    static func landing(_ history: [Candle]) -> ChartController {
        // snippet
        let controller = ChartController()
        controller.symbol = "BTC-USD"
        controller.timeframe = .m5
        controller.setData(history)
        controller.overlays = [.ema20, .bollinger20]
        controller.indicators = [.rsi14]
        // end
        return controller
    }

    static func tick(_ tick: Tick, _ builder: inout OHLCBuilder, _ controller: ChartController) {
        // snippet
        controller.apply(builder.ingest(tick))
        // end
    }

    static func look(_ controller: ChartController) {
        // snippet
        controller.kind = .heikinAshi
        controller.priceScale = PriceScaleSettings(kind: .logarithmic, range: 60_000...70_000)
        controller.volume = .pane
        controller.setTimeZone("America/New_York")
        controller.addComparison("ETH-USD", candles: [])
        // end
    }

    static func objects(_ controller: ChartController, notify: @escaping @MainActor (String) -> Void) {
        // snippet
        controller.onAlert = { alert in notify("BTC-USD is at \(alert.price)") }
        controller.set(PriceAlert(id: 1, price: 68_000, direction: .up))
        controller.set(PriceLine(id: 1, price: 66_500, label: "entry".utf8))
        controller.set(OrderLine(id: 7, kind: .stopLoss, isBuy: false, price: 65_900, label: "Stop 0.5".utf8))
        // end
    }

    static func drawings(_ controller: ChartController, time: Double) throws {
        // snippet
        controller.drawingTool = .trendLine
        if let level = Drawing(.horizontalLine, [DrawingAnchor(time: time, price: 67_000)]) {
            controller.addDrawing(level)
        }
        let document = controller.drawingDocument
        try controller.loadDrawings(document)
        // end
    }

    static func layout(_ controller: ChartController) throws {
        // snippet
        let saved = try controller.layout.document()
        controller.layout = try ChartLayout(document: saved)
        // end
    }

    static func throttled(
        _ controller: ChartController, _ tick: Tick, _ symbol: String, _ timeframe: Timeframe, now: Double
    ) {
        var builders = BuilderPool()
        // snippet
        let updates = ThrottledUpdateManager(chartController: controller)
        updates.queueUpdate(builders.ingest(tick, symbol: symbol, timeframe: timeframe, now: now))
        // end
    }

    #if os(Linux)
        static func picture(_ candles: [Candle]) throws -> [UInt8] {
            // snippet
            var picture = ChartPicture()
            picture.width = 900
            picture.kind = .heikinAshi
            picture.scale.kind = .logarithmic
            try picture.set("studies", "ema:20,bollinger:20:2,rsi")
            let png = try picture.encoded(candles, symbol: "BTC-USD", timeframe: .h1, as: .png)
            // end
            return png
        }
    #endif

    static func terminal(_ series: CandleSeries, print: (String) -> Void) {
        // snippet
        let style = TerminalStyle(environment: ProcessInfo.processInfo.environment)
        let painter = TerminalPainter(columns: 80, rows: 24, style: style)
        for line in painter.lines(series, symbol: "BTC-USD", timeframe: .m1) { print(line) }
        // end
    }
}

#if canImport(SwiftUI)
    private func history() async -> [Candle] { [] }

    // snippet
    struct ContentView: View {
        @State private var controller = ChartController()

        var body: some View {
            PriceChartView(controller: controller)
                .task { controller.setData(await history()) }
        }
    }
// end
#endif
