/// A filled box on an axis with a line of text: the last price, the crosshair's price and time.
enum AxisLabel {
    /// A box over the price axis with its middle at `y`, kept inside the plot's height.
    static func price(
        _ text: TextBuffer, y: Double, fill: Colour, _ scene: Scene, into list: inout DisplayList
    ) {
        let layout = scene.layout
        guard layout.hasPriceAxis else { return }
        let height = boxHeight(layout)
        let top = boxTop(y, layout)
        let left = layout.plotWidth + layout.hairline
        list.roundRect(
            fill, x: left, y: top, width: layout.width - left - 3 * layout.hairline, height: height,
            radius: 2 * layout.ratio)
        list.text(
            scene.theme.labelText, x: layout.priceLabelX, y: top + height / 2, size: layout.axisFont, align: .left,
            text)
    }

    /// A box over the time axis with its middle at `x`, kept inside the plot's width.
    static func time(_ text: TextBuffer, x: Double, fill: Colour, _ scene: Scene, into list: inout DisplayList) {
        let layout = scene.layout
        guard layout.hasTimeAxis else { return }
        let height = boxHeight(layout)
        let (left, width) = timeBox(text, x: x, layout)
        let top = Pixels.snap(layout.timeLabelY - height / 2)
        list.roundRect(fill, x: left, y: top, width: width, height: height, radius: 2 * layout.ratio)
        list.text(
            scene.theme.labelText, x: left + width / 2, y: top + height / 2, size: layout.axisFont, align: .centre,
            text)
    }

    /// Left edge and width of the box that `time` draws.
    static func timeBox(_ text: TextBuffer, x: Double, _ layout: Layout) -> (left: Double, width: Double) {
        let width = Pixels.snap(TextMetrics.width(text, size: layout.axisFont) + 16 * layout.ratio)
        return (max(0, min(Pixels.snap(x - width / 2), layout.plotWidth - width)), width)
    }

    /// Whether a number of the price axis at `y` would peep out from under the box of the last price or the crosshair.
    static func covers(_ y: Double, _ scene: Scene) -> Bool {
        isNear(scene.lastPriceY, y, scene.layout) || isNear(scene.crosshair?.y, y, scene.layout)
    }

    private static func isNear(_ box: Double?, _ y: Double, _ layout: Layout) -> Bool {
        guard let box else { return false }
        let height = boxHeight(layout)
        return (boxTop(box, layout) + height / 2 - y).magnitude < (height + layout.axisFont) / 2
    }

    /// Top of a box over the price axis with its middle at `y`, as far as the plot's height allows.
    private static func boxTop(_ y: Double, _ layout: Layout) -> Double {
        let height = boxHeight(layout)
        return max(0, min(Pixels.snap(y - height / 2), layout.plotHeight - height))
    }

    private static func boxHeight(_ layout: Layout) -> Double {
        // Even, so that the text's middle is a whole pixel.
        2 * Pixels.snap((layout.axisFont + 8 * layout.ratio) / 2)
    }
}
