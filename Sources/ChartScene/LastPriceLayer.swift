internal import MarketModel

/// The newest price: a dashed line across the plot and a box on the axis, in the colour of its bar's direction. Where
/// the price is off screen there is no line, and the box stays at the end of the axis that is nearer to it.
extension Scene {
    func drawLastPriceLine(into list: inout DisplayList) {
        guard let last = newest, let y = lastPriceY, layout.price.contains(y) else { return }
        let hairline = layout.hairline
        list.beginSegments(
            last.isGreen ? theme.up : theme.down, width: hairline, dashOn: 2 * hairline, dashOff: 3 * hairline)
        list.segment(x1: 0, y1: y + hairline / 2, x2: layout.plotWidth, y2: y + hairline / 2)
        list.end()
    }

    func drawLastPriceLabel(_ text: inout TextBuffer, into list: inout DisplayList) {
        guard let last = newest, let y = lastPriceY else { return }
        text.clear()
        switch price.kind {
        case .linear, .logarithmic: text.append(price: last.close, precision: precision)
        case .percent: text.append(price.shown(last.close), .percent)
        case .indexed: text.append(price.shown(last.close), .indexed)
        }
        drawPriceLabel(text, y: y, fill: last.isGreen ? theme.upLabel : theme.downLabel, into: &list)
    }

    /// The pixel of the newest close, which may lie above or below the plot; `nil` where no bar is on screen.
    var lastPriceY: Double? {
        guard let last = newest, !visible.isEmpty else { return nil }
        return Pixels.floor(price.y(last.close))
    }
}
