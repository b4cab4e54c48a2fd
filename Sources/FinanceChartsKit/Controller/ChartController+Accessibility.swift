import ChartScene
public import MarketModel

/// What a screen reader says about the chart.
extension ChartController {
    /// `Price chart, BTC-USD, 1 minute`
    public var accessibilityLabel: String {
        ["Price chart", symbol, timeframe.displayName].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The newest price with its direction and change, or the bar under the crosshair with its number.
    public var accessibilityValue: String {
        guard lastCandle != nil else { return ChartAnnouncement.noData.text }
        if hasCrosshair, let legend, legend.index < view.count { return accessibilityText(ofBar: legend.index) }
        let headline = headline
        let direction = headline.percent.hasPrefix("-") ? "down" : headline.percent == "+0.00%" ? "unchanged" : "up"
        let percent = headline.percent.drop { $0 == "+" || $0 == "-" }
        return "\(headline.price), \(direction) \(percent)" + (headline.status.isEmpty ? "" : ", \(headline.status)")
    }

    /// One bar in words, for reading the chart point by point; empty outside of the series.
    public func accessibilityText(ofBar index: Int) -> String {
        guard let candle = candle(at: index) else { return "" }
        func price(_ value: Double) -> String {
            String { $0.append(price: value, precision: max(2, shownPrecision)) }
        }
        return "Bar \(index + 1) of \(totalCandleCount): open \(price(candle.open)), high \(price(candle.high)), "
            + "low \(price(candle.low)), close \(price(candle.close)), \(candle.isGreen ? "up" : "down")"
    }

    /// Whether the crosshair is on a bar.
    public var hasCrosshair: Bool { observed { _ in isCrosshairOn } }

    /// Text and what holds it is scaled by this factor, 0.5 to 3.
    public func setFontScale(_ scale: Double) {
        guard scale != view.fontScale else { return }
        change { $0.setFontScale(scale) }
    }
}

/// Something that a screen reader should say, because the picture alone shows it.
public enum ChartAnnouncement: Sendable, Equatable {
    /// `setData` brought no bar that can be drawn.
    case noData
    case loaded(bars: Int, symbol: String, timeframe: Timeframe)
    /// Candles of `setData` that were left out because they were malformed.
    case leftOut(Int)
    /// Candles of `setData` that were left out because they are not bars of the chart's timeframe.
    case otherTimeframe(count: Int, than: Timeframe)
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
        case .otherTimeframe(let count, let timeframe):
            "\(count) \(count == 1 ? "candle" : "candles") of another timeframe than \(timeframe.displayName) left out."
        case .timeframe(let timeframe): "Timeframe \(timeframe.displayName)."
        case .limitReached: "Limit reached."
        case .alert(let price, let precision): "Alert: the price reached \(ChartHeadline.text(price, precision))."
        case .connection(.live): "Live."
        case .connection(.reconnecting): "Reconnecting."
        case .connection(.unknown): "Connection unknown."
        }
    }
}
