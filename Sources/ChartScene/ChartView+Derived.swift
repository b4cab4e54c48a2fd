internal import MarketModel

/// What happened to the bars.
enum BarsChange: Equatable {
    /// Other bars.
    case all
    /// So many older bars came in front; the others are as they were.
    case prepended(Int)
    /// One bar, old or the newest, has other values.
    case corrected(index: Int)
    /// First `dropped` of the oldest bars went away; then those from `index` on changed or came.
    case from(index: Int, dropped: Int)
}

/// What is computed from the bars and kept: it hears of every change here, and nowhere else.
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
