internal import MarketModel

/// The numbers of the axes and the lines that part them from the plot.
enum AxisLayer {
    static func draw(_ scene: Scene, _ scratch: inout Scratch, into list: inout DisplayList) {
        let layout = scene.layout
        list.beginRects(scene.theme.axisLine)
        if layout.hasPriceAxis {
            list.rect(x: layout.plotWidth, y: 0, width: layout.hairline, height: layout.height)
        }
        if layout.hasTimeAxis {
            list.rect(x: 0, y: layout.plotHeight, width: layout.width, height: layout.hairline)
        }
        for pane in 1..<max(layout.panes.count, 1) {
            list.rect(
                x: 0, y: layout.panes[pane - 1].bottom, width: layout.width,
                height: layout.panes[pane].top - layout.panes[pane - 1].bottom)
        }
        list.end()
        if layout.hasPriceAxis {
            for pane in 0..<layout.panes.count { numbers(scene, &scratch, pane, into: &list) }
        }
        if layout.hasTimeAxis { TimeLabels.draw(scene, &scratch, into: &list) }
    }

    private static func numbers(_ scene: Scene, _ scratch: inout Scratch, _ pane: Int, into list: inout DisplayList) {
        let layout = scene.layout
        let ticks = scene.frame.ticks[pane]
        for index in 0..<ticks.count {
            guard let y = labelY(ticks.ys[index], scene, pane) else { continue }
            scratch.text.clear()
            scratch.text.append(ticks.values[index], ticks.format)
            list.text(
                scene.theme.axisText, x: layout.priceLabelX, y: y, size: layout.axisFont, align: .left, scratch.text)
        }
    }

    /// The middle of a tick's number; `nil` where it would be cut off by the pane's end or peep out from under the last
    /// price.
    static func labelY(_ tick: Double, _ scene: Scene, _ pane: Int) -> Double? {
        let place = scene.layout.panes[pane]
        let half = scene.layout.axisFont / 2
        let y = Pixels.floor(tick)
        guard y >= place.top + half, y <= place.bottom - half else { return nil }
        if pane == 0, let last = scene.lastPriceY, AxisLabel.touches(last, y, scene, pane) { return nil }
        return y
    }
}

extension Layout {
    /// Left edge of the price axis' numbers.
    var priceLabelX: Double { plotWidth + Pixels.snap(9 * ratio) }
    /// Vertical middle of the time axis.
    var timeLabelY: Double { plotHeight + Pixels.floor((height - plotHeight) / 2) }
}

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

/// The background and the lines of the axes' ticks.
enum GridLayer {
    static func draw(_ scene: Scene, _ scratch: Scratch, into list: inout DisplayList) {
        let layout = scene.layout
        list.fillRect(scene.theme.background, x: 0, y: 0, width: layout.width, height: layout.height)
        list.beginRects(scene.theme.grid)
        for pane in 0..<layout.panes.count {
            for tick in scene.frame.ticks[pane].ys {
                let y = Pixels.floor(tick)
                if layout.panes[pane].contains(y) {
                    list.rect(x: 0, y: y, width: layout.plotWidth, height: layout.hairline)
                }
            }
        }
        for tick in scratch.timeTicks.ticks {
            let x = Pixels.floor(scene.time.x(place: tick.place))
            if x >= 0, x < layout.plotWidth {
                list.rect(x: x, y: 0, width: layout.hairline, height: layout.plotHeight)
            }
        }
        list.end()
    }
}
