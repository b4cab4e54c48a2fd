internal import MarketModel

/// A column from the pane's bottom to each close; where bars are closer than pixels, to the highest close of a column
/// of pixels. The colour says whether the close is below the one before.
enum HistogramLayer {
    static func draw(_ scene: Scene, _ scratch: Scratch, into list: inout DisplayList) {
        batch(scene, scratch, up: true, colour: scene.theme.up, into: &list)
        batch(scene, scratch, up: false, colour: scene.theme.down, into: &list)
    }

    private static func batch(
        _ scene: Scene, _ scratch: Scratch, up: Bool, colour: Colour, into list: inout DisplayList
    ) {
        let bottom = scene.layout.price.bottom
        let price = scene.price
        list.beginRects(colour)
        if let candle = scene.candle, !scratch.line.isDense {
            scene.series.withColumns { bars in
                for index in scene.visible {
                    let close = bars.closes[index]
                    let before = index > 0 ? bars.closes[index - 1] : bars.opens[index]
                    guard (close >= before) == up else { continue }
                    let left = candle.wickLeft(scene.time.x(index)) - candle.overhang
                    column(left, candle.body, Pixels.snap(price.y(close)), bottom, &list)
                }
            }
        } else {
            var before = Double.nan
            for point in scratch.line.points {
                let isUp = !(point.last < before)
                before = point.last
                guard isUp == up, point.last == point.last else { continue }
                column(Pixels.floor(point.x), 1, Pixels.snap(price.y(point.high)), bottom, &list)
            }
        }
        list.end()
    }

    private static func column(
        _ x: Double, _ width: Double, _ y: Double, _ bottom: Double, _ list: inout DisplayList
    ) {
        if y < bottom { list.rect(x: x, y: y, width: width, height: bottom - y) }
    }
}
