internal import MarketModel

/// The numbers of the axes and the lines that part them from the plot.
enum AxisLayer {
    static func draw(_ scene: Scene, _ scratch: inout Scratch, _ ticks: PriceTicks, into list: inout DisplayList) {
        let layout = scene.layout
        list.beginRects(scene.theme.axisLine)
        if layout.hasPriceAxis {
            list.rect(x: layout.plotWidth, y: 0, width: layout.hairline, height: layout.height)
        }
        if layout.hasTimeAxis {
            list.rect(x: 0, y: layout.plotHeight, width: layout.width, height: layout.hairline)
        }
        list.end()
        if layout.hasPriceAxis { prices(scene, &scratch, ticks, into: &list) }
        if layout.hasTimeAxis { TimeLabels.draw(scene, &scratch, into: &list) }
    }

    private static func prices(
        _ scene: Scene, _ scratch: inout Scratch, _ ticks: PriceTicks, into list: inout DisplayList
    ) {
        let layout = scene.layout
        let half = layout.axisFont / 2
        for index in 0..<ticks.count where ticks[index] > 0 {
            let y = Pixels.floor(scene.price.y(ticks[index]))
            guard y >= half, y <= layout.plotHeight - half, !AxisLabel.covers(y, scene) else { continue }
            scratch.text.clear()
            scratch.text.append(price: ticks[index], precision: scene.precision)
            list.text(
                scene.theme.axisText, x: scene.layout.priceLabelX, y: y, size: layout.axisFont, align: .left,
                scratch.text)
        }
    }
}

extension Layout {
    /// Left edge of the price axis' numbers.
    var priceLabelX: Double { plotWidth + Pixels.snap(9 * ratio) }
    /// Vertical middle of the time axis.
    var timeLabelY: Double { plotHeight + Pixels.floor((height - plotHeight) / 2) }
}
