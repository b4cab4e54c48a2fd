internal import MarketModel

/// What happened to the bars.
enum BarsChange: Equatable {
    /// Other bars.
    case all
    /// This many older bars came in front; the others are as they were.
    case prepended(Int)
    /// One bar, old or the newest, has other values.
    case corrected(index: Int)
    /// First `dropped` of the oldest bars went away; then those from `index` on changed or came.
    case from(index: Int, dropped: Int)
}

/// What is computed from the bars and kept: every change is applied here, and nowhere else.
extension ChartView {
    mutating func barsChanged(_ change: BarsChange) {
        updateStudies(change)
        updateComparisons(change)
        if case .corrected = change {} else { switched = nil }
        switch change {
        case .all:
            pyramid.rebuild(series)
            heikinAshi?.rebuild(series)
            mark(.everything)
        case .prepended(let bars):
            pyramid.prepended(series, bars: bars)
            heikinAshi?.rebuild(series)
            mark(.everything)
        case .corrected(let index):
            pyramid.update(series, at: index)
            heikinAshi?.update(series, from: index)
            mark(index == count - 1 ? .lastBar : .viewport)
        case .from(let index, let dropped):
            pyramid.dropFirst(dropped)
            pyramid.update(series, from: index)
            heikinAshi?.update(series, from: index)
            mark(dropped == 0 && index == count - 1 ? .lastBar : .viewport)
        }
    }
}

/// The label that the price axis has room for. It follows the data as a whole and the settings, not what is on screen, so
/// that the axis keeps its width while the chart moves.
extension ChartView {
    var longestLabel: TextBuffer {
        var text = TextBuffer()
        let settings = panes[0].scale
        switch settings.kind {
        case .linear, .logarithmic:
            // More, as ticks lie above the highest price.
            var highest = priceCeiling > 0 ? priceCeiling * 1.3 : 1000
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
