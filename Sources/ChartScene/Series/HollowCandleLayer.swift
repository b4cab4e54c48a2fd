internal import MarketModel

/// Candles whose body is an outline where the bar did not fall. The colour says whether the close is below the one
/// before.
enum HollowCandleLayer {
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
        list.beginRects(colour)
        scene.series.withColumns { bars in
            for index in scene.visible {
                let open = bars.opens[index]
                let close = bars.closes[index]
                let before = index > 0 ? bars.closes[index - 1] : open
                guard (close >= before) == up else { continue }
                let left = candle.wickLeft(time.x(index))
                let ends = Ends(price, bars.highs[index], bars.lows[index])
                let body = Ends(price, open, close)
                let height = max(body.bottom - body.top, candle.wick)
                let inner = height - 2 * candle.wick
                if close >= open, inner > 0, candle.body > 2 * candle.wick {
                    outline(left - candle.overhang, body.top, candle, inner, &list)
                } else {
                    list.rect(x: left - candle.overhang, y: body.top, width: candle.body, height: height)
                }
                // The wick does not run through the body.
                if ends.top < body.top {
                    list.rect(x: left, y: ends.top, width: candle.wick, height: body.top - ends.top)
                }
                if ends.bottom > body.top + height {
                    list.rect(
                        x: left, y: body.top + height, width: candle.wick, height: ends.bottom - body.top - height)
                }
            }
        }
        list.end()
    }

    private static func outline(
        _ x: Double, _ y: Double, _ candle: CandleGeometry, _ inner: Double, _ list: inout DisplayList
    ) {
        let line = candle.wick
        list.rect(x: x, y: y, width: candle.body, height: line)
        list.rect(x: x, y: y + line, width: line, height: inner)
        list.rect(x: x + candle.body - line, y: y + line, width: line, height: inner)
        list.rect(x: x, y: y + line + inner, width: candle.body, height: line)
    }
}

/// The pixels of two prices, the upper one first.
struct Ends {
    let top: Double
    let bottom: Double

    @inline(__always)
    init(_ price: PriceScale, _ a: Double, _ b: Double) {
        let first = Pixels.snap(price.y(a))
        let second = Pixels.snap(price.y(b))
        top = min(first, second)
        bottom = max(first, second)
    }
}
