internal import MarketModel

/// Other symbols: a line each. On a percent or indexed scale all lines start where the chart's own does.
extension Scene {
    func drawComparisons(_ scratch: inout Scratch, into list: inout DisplayList) {
        for index in 0..<comparisons.count {
            comparisons[index].closes.withValues { scratch.line.gather($0, indices, time) }
            scratch.line.stroke(
                comparisons[index].colour(theme), width: max(1, Pixels.snap(2 * layout.ratio)),
                price.rescaled(by: frame.factors[index]), time, into: &list)
        }
    }

    /// A line of the legend each: symbol, price, and its change since the first bar on screen.
    func drawComparisonLegend(_ text: inout TextBuffer, _ pen: inout LegendPen, into list: inout DisplayList) {
        for index in 0..<comparisons.count {
            let comparison = comparisons[index]
            pen.line()
            text.set(utf8: comparison.symbol)
            pen.item(text, comparison.colour(theme), gap: 10, into: &list)
            guard let bar = legendBar else { continue }
            let value = comparison.closes.value(at: bar)
            guard value.isFinite else { continue }
            text.set(price: value, precision: comparison.precision)
            pen.item(text, theme.axisText, gap: 10, into: &list)
            guard price.kind == .percent || price.kind == .indexed else { continue }
            let change = PercentChange(from: price.reference, to: value * frame.factors[index])
            text.clear()
            text.append(change)
            pen.item(text, theme.text(of: change), gap: 10, into: &list)
        }
    }
}
