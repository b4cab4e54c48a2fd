public import MarketModel

/// Something that a screen reader should say, because the picture alone shows it.
public enum ChartAnnouncement: Sendable, Equatable {
    /// `setData` brought no bar that can be drawn.
    case noData
    case loaded(bars: Int, symbol: String, timeframe: Timeframe)
    /// Candles of `setData` that were left out because they were malformed.
    case leftOut(Int)
    case timeframe(Timeframe)
    /// A zoom or a timeframe cannot go further this way.
    case limitReached
    case connection(ConnectionStatus)
    /// The newest price crossed an alert's.
    case alert(price: Double, precision: Int)

    /// One sentence.
    public var text: String {
        switch self {
        case .noData: "No data."
        case .loaded(let bars, let symbol, let timeframe):
            "\(bars) \(bars == 1 ? "bar" : "bars") of \(symbol.isEmpty ? "" : symbol + ", ")\(timeframe.displayName)."
        case .leftOut(let count): "\(count) malformed \(count == 1 ? "candle" : "candles") left out."
        case .timeframe(let timeframe): "Timeframe \(timeframe.displayName)."
        case .limitReached: "Limit reached."
        case .alert(let price, let precision): "Alert: the price reached \(ChartHeadline.text(price, precision))."
        case .connection(.live): "Live."
        case .connection(.reconnecting): "Reconnecting."
        case .connection(.unknown): "Connection unknown."
        }
    }
}
