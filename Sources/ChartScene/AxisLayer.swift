internal import MarketModel

/// The background, the lines of the axes' ticks, and the axes: their numbers and what parts them from the plot.
extension Scene {
    /// The newest price: a dashed line across the plot in the colour of its bar's direction. Its tag is one of `drawTags`.
    func drawLastPriceLine(into list: inout DisplayList) {
        guard let last = newest, !visible.isEmpty, let y = pixel(of: last.close) else { return }
        let hairline = layout.hairline
        list.beginSegments(
            last.isGreen ? theme.up : theme.down, width: hairline, dashOn: 2 * hairline, dashOff: 3 * hairline)
        list.segment(x1: 0, y1: y + hairline / 2, x2: layout.plotWidth, y2: y + hairline / 2)
        list.end()
    }

    func drawGrid(_ scratch: Scratch, into list: inout DisplayList) {
        list.fillRect(theme.background, x: 0, y: 0, width: layout.width, height: layout.height)
        list.beginRects(theme.grid)
        for pane in 0..<layout.panes.count {
            for tick in frame.ticks[pane].ys {
                let y = Pixels.floor(tick)
                if layout.panes[pane].contains(y) {
                    list.rect(x: 0, y: y, width: layout.plotWidth, height: layout.hairline)
                }
            }
        }
        for tick in scratch.timeTicks.ticks {
            let x = Pixels.floor(time.x(place: tick.place))
            if x >= 0, x < layout.plotWidth {
                list.rect(x: x, y: 0, width: layout.hairline, height: layout.plotHeight)
            }
        }
        list.end()
    }

    func drawAxes(_ scratch: inout Scratch, into list: inout DisplayList) {
        list.beginRects(theme.axisLine)
        if layout.hasPriceAxis { list.rect(x: layout.plotWidth, y: 0, width: layout.hairline, height: layout.height) }
        if layout.hasTimeAxis { list.rect(x: 0, y: layout.plotHeight, width: layout.width, height: layout.hairline) }
        for pane in 1..<max(layout.panes.count, 1) {
            let top = layout.panes[pane - 1].bottom
            list.rect(x: 0, y: top, width: layout.width, height: layout.panes[pane].top - top)
        }
        list.end()
        if layout.hasPriceAxis {
            for pane in 0..<layout.panes.count { drawNumbers(pane, &scratch, into: &list) }
        }
        if layout.hasTimeAxis { drawTimes(&scratch, into: &list) }
    }

    private func drawNumbers(_ pane: Int, _ scratch: inout Scratch, into list: inout DisplayList) {
        let ticks = frame.ticks[pane]
        for index in 0..<ticks.count {
            guard let y = numberY(ticks.ys[index], pane) else { continue }
            scratch.text.clear()
            scratch.text.append(ticks.values[index], ticks.format)
            drawAxisText(&scratch, theme.axisText, y: y, into: &list)
        }
    }

    /// Writes the scratch text on the price axis, and notes the room that it needs there.
    @inline(never)
    func drawAxisText(
        _ scratch: inout Scratch, _ colour: Colour, indent: Double = 0, y: Double, into list: inout DisplayList
    ) {
        scratch.widestLabel = max(scratch.widestLabel, TextMetrics.width(scratch.text, size: 1))
        list.text(
            colour, x: layout.priceLabelX + indent, y: y, size: layout.axisFont, align: .left, scratch.text)
    }

    /// The middle of a tick's number; `nil` where it would be cut off by the pane's end.
    func numberY(_ tick: Double, _ pane: Int) -> Double? {
        let place = layout.panes[pane]
        let half = layout.axisFont / 2
        let y = Pixels.floor(tick)
        return y >= place.top + half && y <= place.bottom - half ? y : nil
    }

    // MARK: Boxes with text

    /// A box over the axis.
    @inline(never)
    func drawBox(
        _ fill: Colour, top: Double, height: Double, inset: Double = 0, into list: inout DisplayList
    ) {
        let left = layout.plotWidth + layout.hairline + inset
        list.roundRect(
            fill, x: left, y: top + inset, width: layout.width - left - 3 * layout.hairline - inset,
            height: height - 2 * inset, radius: 2 * layout.ratio)
    }

    /// The scratch text in a box over the axis of `pane` with its middle at `y`, kept inside the pane.
    func drawPriceLabel(
        _ scratch: inout Scratch, y: Double, fill: Colour, pane: Int, into list: inout DisplayList
    ) {
        guard layout.hasPriceAxis else { return }
        let height = layout.labelHeight
        let top = layout.labelTop(y, pane)
        drawBox(fill, top: top, height: height, into: &list)
        drawAxisText(&scratch, theme.labelText, y: top + height / 2, into: &list)
    }

    /// A box over the time axis.
    @inline(never)
    func drawTimeLabel(
        _ text: TextBuffer, _ box: (left: Double, width: Double), fill: Colour, into list: inout DisplayList
    ) {
        guard layout.hasTimeAxis else { return }
        let height = layout.labelHeight
        let top = Pixels.snap(layout.timeLabelY - height / 2)
        list.roundRect(fill, x: box.left, y: top, width: box.width, height: height, radius: 2 * layout.ratio)
        list.text(
            theme.labelText, x: box.left + box.width / 2, y: top + height / 2, size: layout.axisFont, align: .centre,
            text)
    }
}

extension Layout {
    /// Left edge of the price axis' numbers.
    var priceLabelX: Double { plotWidth + Pixels.snap(9 * ratio) }
    /// Vertical middle of the time axis.
    var timeLabelY: Double { plotHeight + Pixels.floor((height - plotHeight) / 2) }
    /// Height of a box on an axis: even, so that the text's middle is a whole pixel.
    var labelHeight: Double { 2 * Pixels.snap((axisFont + 8 * ratio) / 2) }

    /// Top of a box over the axis with its middle at `y`, as far as the pane's height allows.
    fileprivate func labelTop(_ y: Double, _ pane: Int) -> Double {
        max(panes[pane].top, min(Pixels.snap(y - labelHeight / 2), panes[pane].bottom - labelHeight))
    }

    /// Whether a number of the axis at `y` would peep out from under a box with its middle at `box`.
    func touches(_ box: Double, _ y: Double, _ pane: Int) -> Bool {
        (labelTop(box, pane) + labelHeight / 2 - y).magnitude < (labelHeight + axisFont) / 2
    }

    /// The box over the time axis with its middle at `x`, kept inside the plot's width.
    func timeBox(_ text: TextBuffer, x: Double) -> (left: Double, width: Double) {
        let width = Pixels.snap(TextMetrics.width(text, size: axisFont) + 16 * ratio)
        return (max(0, min(Pixels.snap(x - width / 2), plotWidth - width)), width)
    }
}
