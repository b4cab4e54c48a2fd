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
