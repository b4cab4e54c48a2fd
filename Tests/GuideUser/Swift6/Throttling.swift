import FinanceChartsKit

/// Thirty changes of the chart in a second at most, however many ticks there are.
@MainActor
final class ThrottledAggregation {
    private var builder: OHLCBuilder
    private let updates: ThrottledUpdateManager

    init(chartController: ChartController) {
        builder = OHLCBuilder(timeframe: chartController.timeframe)
        updates = ThrottledUpdateManager(chartController: chartController, interval: 1.0 / 30)
    }

    func handleTick(_ tick: Tick) { updates.queueUpdate(builder.ingest(tick)) }
    func flush() { updates.flush() }
}
