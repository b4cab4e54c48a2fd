internal import MarketModel

/// The newest price: a dashed line across the plot in the colour of its bar's direction. Its tag is one of `drawTags`.
extension Scene {
    func drawLastPriceLine(into list: inout DisplayList) {
        guard let last = newest, !visible.isEmpty, let y = pixel(of: last.close) else { return }
        let hairline = layout.hairline
        list.beginSegments(
            last.isGreen ? theme.up : theme.down, width: hairline, dashOn: 2 * hairline, dashOff: 3 * hairline)
        list.segment(x1: 0, y1: y + hairline / 2, x2: layout.plotWidth, y2: y + hairline / 2)
        list.end()
    }
}
