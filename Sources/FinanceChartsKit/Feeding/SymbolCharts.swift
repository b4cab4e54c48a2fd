/// What brings live data into a chart, so that `SymbolCharts` can slow it down and end it.
@MainActor
public protocol ChartDataProvider: AnyObject {
    /// The chart is not on screen: nothing needs to be shown, and nothing may be lost.
    func pauseUpdates()
    /// The chart is on screen again and is brought up to date.
    func resumeUpdates()
    /// For good.
    func disconnect()
}

/// The charts of several symbols: one controller each, and updates only for those that are visible.
///
/// ```swift
/// let charts = SymbolCharts { MyProvider(controller: $0) }
/// let bitcoin = charts.addSymbol("BTC-USD")
/// charts.visibleSymbols = ["BTC-USD"]
/// charts.pauseInactiveSymbols()
/// ```
@MainActor
public final class SymbolCharts {
    private struct Entry {
        let controller: ChartController
        let provider: any ChartDataProvider
        var isPaused = false
    }

    /// The symbols on screen; `nil` until they are set: all of them.
    public var visibleSymbols: Set<String>?

    private let makeProvider: @MainActor (ChartController) -> any ChartDataProvider
    private var entries: [String: Entry] = [:]

    /// - Parameter makeProvider: called once for each symbol, with its new chart.
    public init(makeProvider: @escaping @MainActor (ChartController) -> any ChartDataProvider) {
        self.makeProvider = makeProvider
    }

    /// The chart of a symbol, made where it is missing.
    @discardableResult public func addSymbol(_ symbol: String) -> ChartController {
        if let entry = entries[symbol] { return entry.controller }
        let controller = ChartController()
        controller.symbol = symbol
        entries[symbol] = Entry(controller: controller, provider: makeProvider(controller))
        return controller
    }

    /// Disconnects the symbol's provider and forgets its chart.
    public func removeSymbol(_ symbol: String) { entries.removeValue(forKey: symbol)?.provider.disconnect() }
    public func getController(for symbol: String) -> ChartController? { entries[symbol]?.controller }

    /// In alphabetical order.
    public var symbols: [String] { entries.keys.sorted() }

    /// Whether the symbol has a chart that is on screen.
    public func isSymbolActive(_ symbol: String) -> Bool {
        entries[symbol] != nil && (visibleSymbols?.contains(symbol) ?? true)
    }

    /// Pauses each symbol that is not on screen and is not paused yet.
    public func pauseInactiveSymbols() {
        for symbol in symbols where !isSymbolActive(symbol) && entries[symbol]?.isPaused == false {
            entries[symbol]?.isPaused = true
            entries[symbol]?.provider.pauseUpdates()
        }
    }

    /// Resumes a paused symbol, on screen or not.
    public func resumeSymbol(_ symbol: String) {
        guard entries[symbol]?.isPaused == true else { return }
        entries[symbol]?.isPaused = false
        entries[symbol]?.provider.resumeUpdates()
    }

    public func isPaused(_ symbol: String) -> Bool { entries[symbol]?.isPaused ?? false }
}
