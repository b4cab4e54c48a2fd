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
        if layout.hasTimeAxis { times(scene, &scratch, into: &list) }
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

    private static func times(_ scene: Scene, _ scratch: inout Scratch, into list: inout DisplayList) {
        let layout = scene.layout
        let step = scratch.timeTicks.step
        // Nothing peeps out from under the crosshair's box.
        var covered = (left: 0.0, width: 0.0)
        if let crosshair = scene.crosshair, CrosshairLayer.writeTime(scene, crosshair, into: &scratch.text) {
            covered = AxisLabel.timeBox(scratch.text, x: CrosshairLayer.barLeft(scene, crosshair), layout)
        }
        for tick in scratch.timeTicks.ticks {
            let x = Pixels.floor(scene.time.x(tick.index))
            scratch.text.clear()
            scratch.text.append(tick: tick.rank, timestamp: scene.series.timestamp(at: tick.index), step: step)
            let stands = tick.rank > step.ordinaryRank
            let half = TextMetrics.width(scratch.text, size: layout.axisFont, bold: stands) / 2
            // A label cut off at an edge reads as another number.
            guard x - half >= 0, x + half <= layout.plotWidth else { continue }
            if x + half > covered.left && x - half < covered.left + covered.width { continue }
            list.text(
                stands ? scene.theme.strongText : scene.theme.axisText, x: x, y: layout.timeLabelY,
                size: layout.axisFont, align: .centre, bold: stands, scratch.text)
        }
    }
}

extension Layout {
    /// Left edge of the price axis' numbers.
    var priceLabelX: Double { plotWidth + Pixels.snap(9 * ratio) }
    /// Vertical middle of the time axis.
    var timeLabelY: Double { plotHeight + Pixels.floor((height - plotHeight) / 2) }
}
