internal import MarketModel

/// Other symbols: a line each. On a percent or indexed scale all lines start where the chart's own does.
enum ComparisonLayer {
    static func draw(_ scene: Scene, _ scratch: inout Scratch, into list: inout DisplayList) {
        for index in 0..<scene.comparisons.count {
            let comparison = scene.comparisons[index]
            comparison.closes.withValues { scratch.line.gather($0, scene.indices, scene.time) }
            scratch.line.stroke(
                comparison.colour(scene.theme), width: max(1, Pixels.snap(2 * scene.layout.ratio)),
                scene.price.rescaled(by: scene.frame.factors[index]), scene.time, into: &list)
        }
    }

    /// A line of the legend each: symbol, price, and its change since the first bar on screen.
    static func legend(
        _ scene: Scene, _ scratch: inout Scratch, _ pen: inout LegendPen, into list: inout DisplayList
    ) {
        for index in 0..<scene.comparisons.count {
            let comparison = scene.comparisons[index]
            pen.line()
            scratch.text.clear()
            scratch.text.append(utf8: comparison.symbol)
            pen.item(scratch.text, comparison.colour(scene.theme), gap: 10, into: &list)
            guard let bar = scene.legendBar else { continue }
            let value = comparison.closes.value(at: bar)
            guard value.isFinite else { continue }
            scratch.text.clear()
            scratch.text.append(price: value, precision: comparison.precision)
            pen.item(scratch.text, scene.theme.axisText, gap: 10, into: &list)
            let scale = scene.price
            guard scale.kind == .percent || scale.kind == .indexed else { continue }
            let change = PercentChange(from: scale.reference, to: value * scene.frame.factors[index])
            scratch.text.clear()
            scratch.text.append(change)
            pen.item(scratch.text, scene.theme.text(of: change.sign), gap: 10, into: &list)
        }
    }
}
