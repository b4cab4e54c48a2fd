import FinanceChartsKit
import Testing

@Suite("The palette of a long press")
@MainActor
struct PaletteTests {
    @Test("an alert at the bar that is read, the RSI, and averages that come and go")
    func actions() throws {
        let controller = ChartController()
        controller.perform(.addAlert)
        #expect(controller.objects.isEmpty, "without bars there is no price")
        controller.setData(walk(200))
        #expect(
            ChartPaletteAction.allCases.map(\.title) == [
                "Add Alert", "Add RSI", "Toggle EMA 20", "Toggle EMA 50", "Toggle Bollinger",
            ])
        controller.perform(.addAlert)
        controller.setCrosshair(x: 200)
        let read = try #require(controller.legend).index
        controller.perform(.addAlert)
        let prices = controller.objects.alerts.map(\.price)
        #expect(prices == [controller.lastPrice, controller.candle(at: read)?.close].compactMap { $0 })
        #expect(prices.count == 2)
        for _ in 0..<2 { controller.perform(.addRSI) }
        for action in [ChartPaletteAction.toggleEMA20, .toggleEMA50, .toggleBollinger] { controller.perform(action) }
        #expect(controller.indicators == .rsi14 && controller.overlays == [.ema20, .ema50, .bollinger20])
        controller.perform(.toggleEMA50)
        #expect(controller.overlays == [.ema20, .bollinger20])
    }
}
