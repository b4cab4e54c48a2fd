internal import MarketModel

/// Other symbols: a line each. But on a linear scale, all lines meet the chart's own at one bar, the first one on screen
/// that all of them have.
extension Scene {
    func drawComparisons(_ scratch: inout Scratch, into list: inout DisplayList) {
        for index in 0..<comparisons.count where comparisons[index].isVisible {
            comparisons[index].closes.withValues { scratch.line.gather($0, indices, time) }
            scratch.line.stroke(
                comparisons[index].colour(theme), width: max(1, Pixels.snap(2 * layout.ratio)),
                price.rescaled(by: frame.factors[index]), time, into: &list)
        }
    }

    /// A row of the legend each: symbol, price, and its change since the bar at which the lines meet.
    func drawComparisonLegend(_ scratch: inout Scratch, _ pen: inout LegendPen, into list: inout DisplayList) {
        for index in 0..<comparisons.count {
            let comparison = comparisons[index]
            scratch.text.set(utf8: comparison.symbol)
            drawName(comparison.id, comparison.colour(theme), comparison.isVisible, &scratch, &pen, into: &list)
            guard comparison.isVisible, let bar = legendBar else { continue }
            let value = comparison.closes.value(at: bar)
            guard value.isFinite else { continue }
            scratch.text.set(price: value, precision: comparison.precision)
            pen.item(scratch.text, theme.axisText, gap: 10, into: &list)
            guard price.kind != .linear else { continue }
            let change = PercentChange(from: price.reference, to: value * frame.factors[index])
            scratch.text.clear()
            scratch.text.append(change)
            pen.item(scratch.text, theme.text(of: change), gap: 10, into: &list)
        }
    }
}
