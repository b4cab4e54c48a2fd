internal import MarketModel

/// The crosshair: a dashed line through a bar, one through the pointer's price, and both values on the axes.
enum CrosshairLayer {
    static func drawLines(_ scene: Scene, into list: inout DisplayList) {
        guard let crosshair = scene.crosshair else { return }
        let layout = scene.layout
        let dash = 4 * layout.hairline
        list.beginSegments(scene.theme.crosshairLine, width: layout.hairline, dashOn: dash, dashOff: dash)
        // The middle of whole pixels: an odd width centred on a pixel's edge would be blurred.
        let x = barLeft(scene, crosshair) + layout.hairline / 2
        list.segment(x1: x, y1: 0, x2: x, y2: layout.plotHeight)
        if let y = crosshair.y {
            let middle = Pixels.floor(y) + layout.hairline / 2
            list.segment(x1: 0, y1: middle, x2: layout.plotWidth, y2: middle)
        }
        list.end()
    }

    static func drawLabels(_ scene: Scene, _ scratch: inout Scratch, into list: inout DisplayList) {
        guard let crosshair = scene.crosshair else { return }
        if let y = crosshair.y, !scene.series.isEmpty {
            hideNumbers(under: y, scene, crosshair.pane, into: &list)
            scratch.text.clear()
            write(y, scene, crosshair.pane, into: &scratch.text)
            AxisLabel.price(
                scratch.text, y: y, fill: scene.theme.crosshairLabel, scene, pane: crosshair.pane, into: &list)
        }
        if writeTime(scene, crosshair, into: &scratch.text) {
            let x = barLeft(scene, crosshair)
            hideTimes(under: AxisLabel.timeBox(scratch.text, x: x, scene.layout), scene, scratch, into: &list)
            AxisLabel.time(scratch.text, x: x, fill: scene.theme.crosshairLabel, scene, into: &list)
        }
    }

    /// The value at a height, as the pane's axis shows its numbers.
    private static func write(_ y: Double, _ scene: Scene, _ pane: Int, into text: inout TextBuffer) {
        let scale = scene.frame.scales[pane]
        let value = scale.price(at: y)
        switch scene.frame.ticks[pane].format {
        case .price(let precision): text.append(price: scene.instrument.rounded(value), precision: precision)
        case .plain: scene.write(value, ofPane: pane, into: &text)
        case .compact: text.append(compact: value)
        case .percent, .indexed: text.append(scale.shown(value), scene.frame.ticks[pane].format)
        }
    }

    /// Nothing peeps out from under the box: numbers that it would cover in part are painted over whole. They belong to
    /// the base, which is not drawn again when the crosshair moves.
    static func hideNumbers(under box: Double, _ scene: Scene, _ pane: Int, into list: inout DisplayList) {
        let layout = scene.layout
        guard layout.hasPriceAxis else { return }
        let half = Pixels.snap(layout.axisFont * 0.65)
        list.beginRects(scene.theme.background)
        for tick in scene.frame.ticks[pane].ys {
            guard let y = AxisLayer.labelY(tick, scene, pane), AxisLabel.touches(box, y, scene, pane) else { continue }
            let left = layout.plotWidth + layout.hairline
            list.rect(x: left, y: y - half, width: layout.width - left, height: 2 * half)
        }
        list.end()
    }

    private static func hideTimes(
        under box: (left: Double, width: Double), _ scene: Scene, _ scratch: Scratch, into list: inout DisplayList
    ) {
        let layout = scene.layout
        list.beginRects(scene.theme.background)
        for span in scratch.timeLabels where span.right > box.left && span.left < box.left + box.width {
            let half = Pixels.snap(layout.axisFont * 0.65)
            list.rect(
                x: Pixels.floor(span.left), y: layout.timeLabelY - half,
                width: Pixels.floor(span.right) + 1 - Pixels.floor(span.left), height: 2 * half)
        }
        list.end()
    }

    /// The time of the crosshair's bar, or of the one that would be there.
    /// - Returns: `false` where no bar can be.
    static func writeTime(_ scene: Scene, _ crosshair: CrosshairPosition, into text: inout TextBuffer) -> Bool {
        guard scene.series.datedIndices(scene.timeframe).contains(crosshair.index) else { return false }
        text.clear()
        let time = scene.series.time(at: crosshair.index, scene.timeframe)
        text.append(barDate: time + scene.clock.zone.offset(at: time), timeframe: scene.timeframe)
        return true
    }

    /// Left edge of the vertical line.
    static func barLeft(_ scene: Scene, _ crosshair: CrosshairPosition) -> Double {
        let x = scene.time.x(crosshair.index)
        return Pixels.snap(x - scene.layout.hairline / 2)
    }
}
