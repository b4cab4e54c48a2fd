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
            scratch.text.clear()
            scratch.text.append(price: scene.price.price(at: y), precision: scene.precision)
            AxisLabel.price(scratch.text, y: y, fill: scene.theme.crosshairLabel, scene, into: &list)
        }
        if writeTime(scene, crosshair, into: &scratch.text) {
            AxisLabel.time(
                scratch.text, x: barLeft(scene, crosshair), fill: scene.theme.crosshairLabel, scene, into: &list)
        }
    }

    /// The time of the crosshair's bar, or of the one that would be there.
    /// - Returns: `false` where no bar can be.
    static func writeTime(_ scene: Scene, _ crosshair: CrosshairPosition, into text: inout TextBuffer) -> Bool {
        guard scene.series.datedIndices(scene.timeframe).contains(crosshair.index) else { return false }
        text.clear()
        text.append(barDate: scene.series.time(at: crosshair.index, scene.timeframe), timeframe: scene.timeframe)
        return true
    }

    /// Left edge of the vertical line.
    static func barLeft(_ scene: Scene, _ crosshair: CrosshairPosition) -> Double {
        let x = scene.time.x(crosshair.index)
        return Pixels.snap(x - scene.layout.hairline / 2)
    }
}
