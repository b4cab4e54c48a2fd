import FinanceChartsKit
import Foundation

/// A chart and a provider for each symbol.
@MainActor
final class MultiSymbolManager {
    /// Symbols that are on screen.
    var activeSymbols: Set<String> = []

    private let url: URL
    private var providers: [String: WebSocketProvider] = [:]

    init(url: URL) { self.url = url }

    @discardableResult func addSymbol(_ symbol: String, timeframe: Timeframe = .m1) -> ChartController {
        if let provider = providers[symbol] { return provider.chartController }
        let chartController = ChartController()
        chartController.symbol = symbol
        chartController.timeframe = timeframe
        let provider = WebSocketProvider(url: url, chartController: chartController)
        provider.recovery = ConnectionRecovery { [weak provider] in provider?.connect() }
        providers[symbol] = provider
        activeSymbols.insert(symbol)
        provider.connect()
        return chartController
    }

    func removeSymbol(_ symbol: String) {
        activeSymbols.remove(symbol)
        providers.removeValue(forKey: symbol)?.disconnect()
    }

    func getController(for symbol: String) -> ChartController? { providers[symbol]?.chartController }
    func getProvider(for symbol: String) -> WebSocketProvider? { providers[symbol] }
    func isSymbolActive(_ symbol: String) -> Bool { activeSymbols.contains(symbol) }

    func pauseInactiveSymbols() {
        for (symbol, provider) in providers where !isSymbolActive(symbol) && !provider.isPaused {
            provider.pauseUpdates()
        }
    }

    func resumeSymbol(_ symbol: String) {
        activeSymbols.insert(symbol)
        if let provider = providers[symbol], provider.isPaused { provider.resumeUpdates() }
    }
}
