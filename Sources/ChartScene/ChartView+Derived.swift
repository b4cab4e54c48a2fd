internal import MarketModel

/// What happened to the bars.
enum BarsChange: Equatable {
    /// Other bars, or older ones in front.
    case all
    /// First `dropped` of the oldest bars went away; then those from `index` on changed or came.
    case from(index: Int, dropped: Int)
}

/// What is computed from the bars and kept: it hears of every change here, and nowhere else.
extension ChartView {
    mutating func barsChanged(_ change: BarsChange) {
        switch change {
        case .all: mark(.everything)
        case .from(let index, let dropped):
            mark(dropped == 0 && index == count - 1 ? .lastBar : .viewport)
        }
    }
}
