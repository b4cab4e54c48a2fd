import FinanceChartsKit

enum MemoryManager {
    static let maxCandles = 10_000
    static let builderIdleTime = 3600.0

    @MainActor static func trim(_ chartController: ChartController) {
        guard chartController.totalCandleCount > maxCandles else { return }
        chartController.trimOldData(keepingLast: maxCandles)
    }

    /// - Parameter now: seconds since 1970 UTC.
    static func evictIdleBuilders(_ builders: inout [String: OHLCBuilder], now: Double) {
        builders = builders.filter { _, builder in
            guard let lastUpdate = builder.lastUpdateTime else { return true }
            return now - lastUpdate < builderIdleTime
        }
    }
}
