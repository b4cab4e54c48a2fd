internal import MarketModel

/// The newest price: a dashed line across the plot and a box on the axis, in the colour of its bar's direction. Where
/// the price is off screen there is no line, and the box stays at the end of the axis that is nearer to it.
enum LastPriceLayer {
    static func drawLine(_ scene: Scene, into list: inout DisplayList) {
        guard let last = scene.newest, let y = scene.lastPriceY else { return }
        let layout = scene.layout
        guard layout.price.contains(y) else { return }
        let colour = last.isGreen ? scene.theme.up : scene.theme.down
        list.beginSegments(
            colour, width: layout.hairline, dashOn: 2 * layout.hairline, dashOff: 3 * layout.hairline)
        let middle = y + layout.hairline / 2
        list.segment(x1: 0, y1: middle, x2: layout.plotWidth, y2: middle)
        list.end()
    }

    static func drawLabel(_ scene: Scene, _ scratch: inout Scratch, into list: inout DisplayList) {
        guard let last = scene.newest, let y = scene.lastPriceY else { return }
        scratch.text.clear()
        switch scene.price.kind {
        case .linear, .logarithmic: scratch.text.append(price: last.close, precision: scene.precision)
        case .percent: scratch.text.append(scene.price.shown(last.close), .percent)
        case .indexed: scratch.text.append(scene.price.shown(last.close), .indexed)
        }
        let fill = last.isGreen ? scene.theme.upLabel : scene.theme.downLabel
        AxisLabel.price(scratch.text, y: y, fill: fill, scene, into: &list)
    }
}

extension Scene {
    /// The pixel of the newest close, which may lie above or below the plot; `nil` where no bar is on screen.
    var lastPriceY: Double? {
        guard let last = newest, !visible.isEmpty else { return nil }
        return Pixels.floor(price.y(last.close))
    }
}
