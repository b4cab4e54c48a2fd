internal import MarketModel

/// Candles: bodies and wicks, one batch a colour. Where bars are closer than a candle is wide, one vertical line for
/// each pixel column from lowest low to highest high.
enum CandleLayer {
    static func draw(_ scene: Scene, _ scratch: Scratch, into list: inout DisplayList) {
        if let candle = scene.candle {
            batch(scene, candle, up: true, colour: scene.theme.up, into: &list)
            batch(scene, candle, up: false, colour: scene.theme.down, into: &list)
        } else {
            columns(scene, scratch.columns, up: true, colour: scene.theme.up, into: &list)
            columns(scene, scratch.columns, up: false, colour: scene.theme.down, into: &list)
        }
    }

    @_optimize(speed)
    private static func batch(
        _ scene: Scene, _ candle: CandleGeometry, up: Bool, colour: Colour, into list: inout DisplayList
    ) {
        let time = scene.time
        let price = scene.price
        let overhang = candle.overhang
        list.beginRects(colour)
        scene.drawn.withColumns { bars in
            for index in scene.visible {
                let open = bars.opens[index]
                let close = bars.closes[index]
                guard (close >= open) == up else { continue }
                let left = candle.wickLeft(time.x(index))
                let ends = Ends(price, bars.highs[index], bars.lows[index])
                let (top, bottom) = (ends.top, ends.bottom)
                let body = Ends(price, open, close)
                let bodyTop = body.top
                // A body is never thinner than a wick, so that a bar without change is a visible dash.
                let bodyHeight = max(body.bottom - bodyTop, candle.wick)
                if bottom - top > bodyHeight || top < bodyTop {
                    list.rect(x: left, y: top, width: candle.wick, height: max(bottom - top, candle.wick))
                }
                list.rect(x: left - overhang, y: bodyTop, width: candle.body, height: bodyHeight)
            }
        }
        list.end()
    }

    @_optimize(speed)
    private static func columns(
        _ scene: Scene, _ columns: [PixelColumn], up: Bool, colour: Colour, into list: inout DisplayList
    ) {
        list.beginRects(colour)
        for column in columns where column.isUp == up {
            let ends = Ends(scene.price, column.high, column.low)
            list.rect(x: column.x, y: ends.top, width: 1, height: max(ends.bottom - ends.top, 1))
        }
        list.end()
    }
}
