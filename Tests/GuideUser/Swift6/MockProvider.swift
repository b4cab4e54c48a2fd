import FinanceChartsKit
import Foundation

/// A made-up market: history, then a tick each second.
@MainActor
final class MockProvider {
    private let chartController: ChartController
    private let interval: Duration
    private var builder: OHLCBuilder
    private var price: Double
    private var simulation: Task<Void, Never>?
    var onTick: (Tick) -> Void = { _ in }

    init(chartController: ChartController, price: Double = 100, interval: Duration = .seconds(1)) {
        self.chartController = chartController
        self.price = price
        self.interval = interval
        builder = OHLCBuilder(timeframe: chartController.timeframe)
    }

    func startSimulation() {
        guard simulation == nil else { return }
        if chartController.totalCandleCount == 0 { loadHistory(bars: 100) }
        chartController.setConnectionStatus(true)
        simulation = Task { [weak self, interval] in
            while (try? await Task.sleep(for: interval)) != nil {
                // The simulation may have been stopped after the sleep ended, before this continued.
                guard let self, !Task.isCancelled else { return }
                self.tick(at: Date().timeIntervalSince1970)
            }
        }
    }

    func stopSimulation() {
        simulation?.cancel()
        simulation = nil
        chartController.setConnectionStatus(false)
    }

    private func loadHistory(bars: Int) {
        let length = chartController.timeframe.seconds
        let now = Date().timeIntervalSince1970
        for bar in 0..<bars { tick(at: now - Double(bars - bar) * length) }
    }

    private func tick(at timestamp: Double) {
        price = max(1.0, price + .random(in: -2.0...2.0))
        let tick = Tick(timestamp: timestamp, price: price, volume: .random(in: 100...1000))
        chartController.apply(builder.ingest(tick))
        onTick(tick)
    }
}
