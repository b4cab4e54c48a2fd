internal import MarketModel

/// Bars: a line from high to low, the open as a dash to its left, the close to its right.
enum BarLayer {
    static func draw(_ scene: Scene, _ scratch: Scratch, into list: inout DisplayList) {
        guard let candle = scene.candle else { return CandleLayer.draw(scene, scratch, into: &list) }
        batch(scene, candle, up: true, colour: scene.theme.up, into: &list)
        batch(scene, candle, up: false, colour: scene.theme.down, into: &list)
    }

    private static func batch(
        _ scene: Scene, _ candle: CandleGeometry, up: Bool, colour: Colour, into list: inout DisplayList
    ) {
        let time = scene.time
        let price = scene.price
        let line = candle.wick
        let dash = candle.overhang
        list.beginRects(colour)
        scene.series.withColumns { bars in
            for index in scene.visible {
                let open = bars.opens[index]
                let close = bars.closes[index]
                guard (close >= open) == up else { continue }
                let left = candle.wickLeft(time.x(index))
                let ends = Ends(price, bars.highs[index], bars.lows[index])
                let height = max(ends.bottom - ends.top, line)
                list.rect(x: left, y: ends.top, width: line, height: height)
                // A dash stays within the line's ends.
                let lowest = ends.top + height - line
                let openY = min(max(Pixels.snap(price.y(open) - line / 2), ends.top), lowest)
                let closeY = min(max(Pixels.snap(price.y(close) - line / 2), ends.top), lowest)
                list.rect(x: left - dash, y: openY, width: dash, height: line)
                list.rect(x: left + line, y: closeY, width: dash, height: line)
            }
        }
        list.end()
    }
}
