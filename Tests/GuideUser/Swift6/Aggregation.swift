import FinanceChartsKit
import Foundation

extension WebSocketProvider {
    var builderKey: String { "\(chartController.symbol)_\(chartController.timeframe.rawValue)" }

    func handleTick(_ tick: Tick) {
        if case .invalid(let reason) = DataValidator.validate(tick, now: Date().timeIntervalSince1970) {
            log("tick dropped: \(reason)")
            return
        }
        let timeframe = chartController.timeframe
        let result = builders[builderKey, default: OHLCBuilder(timeframe: timeframe)].ingest(tick)
        if let updated = result.updated { chartController.updateLast(updated) }
        if let appended = result.appended { chartController.append(appended) }
    }

    /// The builder continues the newest bar, instead of beginning it again.
    func seedBuilder() {
        guard let last = chartController.lastCandle else { return }
        builders[builderKey, default: OHLCBuilder(timeframe: chartController.timeframe)].seed(with: last)
    }
}
