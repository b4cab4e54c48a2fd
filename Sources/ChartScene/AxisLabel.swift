/// A filled box on an axis with a line of text: the last price, the crosshair's price and time.
enum AxisLabel {
    /// A box over the axis of `pane` with its middle at `y`, kept inside the pane.
    @inline(never)
    static func price(
        _ text: TextBuffer, y: Double, fill: Colour, _ scene: Scene, pane: Int = 0, into list: inout DisplayList
    ) {
        let layout = scene.layout
        guard layout.hasPriceAxis else { return }
        let height = boxHeight(layout)
        let top = boxTop(y, layout, pane)
        let left = layout.plotWidth + layout.hairline
        list.roundRect(
            fill, x: left, y: top, width: layout.width - left - 3 * layout.hairline, height: height,
            radius: 2 * layout.ratio)
        list.text(
            scene.theme.labelText, x: layout.priceLabelX, y: top + height / 2, size: layout.axisFont, align: .left,
            text)
    }

    /// A box over the time axis with its middle at `x`, kept inside the plot's width.
    @inline(never)
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

    /// Whether a number of the axis at `y` would peep out from under a box with its middle at `box`.
    static func touches(_ box: Double, _ y: Double, _ scene: Scene, _ pane: Int) -> Bool {
        let height = boxHeight(scene.layout)
        return (boxTop(box, scene.layout, pane) + height / 2 - y).magnitude < (height + scene.layout.axisFont) / 2
    }

    /// Top of a box over the axis with its middle at `y`, as far as the pane's height allows.
    private static func boxTop(_ y: Double, _ layout: Layout, _ pane: Int) -> Double {
        let height = boxHeight(layout)
        let place = layout.panes[pane]
        return max(place.top, min(Pixels.snap(y - height / 2), place.bottom - height))
    }

    private static func boxHeight(_ layout: Layout) -> Double {
        // Even, so that the text's middle is a whole pixel.
        2 * Pixels.snap((layout.axisFont + 8 * layout.ratio) / 2)
    }
}
