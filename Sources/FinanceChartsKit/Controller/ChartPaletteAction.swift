import ChartScene

/// What a long press on a remote offers, and a screen reader as actions of the chart.
public enum ChartPaletteAction: String, CaseIterable, Sendable, Identifiable {
    case addAlert, addRSI, toggleEMA20, toggleEMA50, toggleBollinger

    public var id: String { rawValue }

    /// As a menu shows it.
    public var title: String {
        switch self {
        case .addAlert: "Add Alert"
        case .addRSI: "Add RSI"
        case .toggleEMA20: "Toggle EMA 20"
        case .toggleEMA50: "Toggle EMA 50"
        case .toggleBollinger: "Toggle Bollinger"
        }
    }
}

extension ChartController {
    /// Does what a palette's entry says. An alert is put at the close of the crosshair's bar, or of the newest one.
    public func perform(_ action: ChartPaletteAction) {
        switch action {
        case .addAlert:
            guard let legend, let price = candle(at: legend.index)?.close else { return }
            let last = objects.alerts.map(\.id).max() ?? 0
            set(PriceAlert(id: last &+ 1, price: price))
        case .addRSI: indicators.insert(.rsi14)
        case .toggleEMA20: toggleOverlay(.ema20)
        case .toggleEMA50: toggleOverlay(.ema50)
        case .toggleBollinger: toggleOverlay(.bollinger20)
        }
    }
}
