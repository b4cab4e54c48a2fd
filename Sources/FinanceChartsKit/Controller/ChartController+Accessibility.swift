import ChartScene
import MarketModel

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
            var text = TextBuffer()
            text.append(price: value, precision: max(2, shownPrecision))
            return String(decoding: text.bytes, as: UTF8.self)
        }
        return "Bar \(index + 1) of \(totalCandleCount): open \(price(candle.open)), high \(price(candle.high)), "
            + "low \(price(candle.low)), close \(price(candle.close)), \(candle.isGreen ? "up" : "down")"
    }

    /// Whether the crosshair is on a bar.
    public var hasCrosshair: Bool {
        _ = revision
        return isCrosshairOn
    }

    /// Text and what holds it becomes so many times larger than usual, 0.5 to 3.
    public func setFontScale(_ scale: Double) {
        guard scale != view.fontScale else { return }
        change { $0.setFontScale(scale) }
    }
}
