internal import MarketModel

/// The label that the price axis has room for. It follows the data as a whole and the settings, not what is on screen, so
/// that the axis keeps its width while the chart moves.
extension ChartView {
    var longestLabel: TextBuffer {
        var text = TextBuffer()
        let settings = panes[0].scale
        switch settings.kind {
        case .linear, .logarithmic:
            // A tenth more, as ticks lie above the highest price.
            var highest = priceCeiling > 0 ? priceCeiling * 1.1 : 1000
            if let range = settings.range {
                highest = max(highest, range.upperBound * (settings.kind == .logarithmic ? 10 : 1.1))
            }
            text.append(price: highest, precision: precision)
        case .percent, .indexed:
            // From the lowest price to the highest; a minus is as wide as a digit.
            let lowest = pyramid.extremes(series, 0..<series.count).low
            let most = priceCeiling > 0 && lowest > 0 ? min(priceCeiling / lowest, 1e9) : 1
            text.append(max(most * 110, 100), settings.kind == .percent ? .percent : .indexed)
        }
        return text
    }
}
