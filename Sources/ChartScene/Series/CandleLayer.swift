internal import MarketModel

/// Candles and bars, one batch a colour. Where bars are closer than a candle is wide, one vertical line for each pixel
/// column from lowest low to highest high.
extension Scene {
    func drawCandles(_ scratch: Scratch, up: Bool, into list: inout DisplayList) {
        list.beginRects(up ? theme.up : theme.down)
        if let candle {
            switch kind {
            case .bars: drawBars(candle, up: up, into: &list)
            case .hollowCandles: drawOutlines(candle, up: up, into: &list)
            default: drawBodies(candle, up: up, into: &list)
            }
        } else {
            drawColumns(scratch.columns, up: up, into: &list)
        }
        list.end()
    }

    /// Bodies and wicks.
    @_optimize(speed)
    private func drawBodies(_ candle: CandleGeometry, up: Bool, into list: inout DisplayList) {
        let time = time
        let price = price
        let overhang = candle.overhang
        drawn.withColumns { bars in
            for index in visible {
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
    }

    /// Candles whose body is an outline where the bar did not fall. The colour says whether the close is below the one
    /// before.
    private func drawOutlines(_ candle: CandleGeometry, up: Bool, into list: inout DisplayList) {
        let time = time
        let price = price
        series.withColumns { bars in
            for index in visible {
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
    }

    private func outline(
        _ x: Double, _ y: Double, _ candle: CandleGeometry, _ inner: Double, _ list: inout DisplayList
    ) {
        let line = candle.wick
        list.rect(x: x, y: y, width: candle.body, height: line)
        list.rect(x: x, y: y + line, width: line, height: inner)
        list.rect(x: x + candle.body - line, y: y + line, width: line, height: inner)
        list.rect(x: x, y: y + line + inner, width: candle.body, height: line)
    }

    /// A line from high to low, the open as a dash to its left, the close to its right.
    private func drawBars(_ candle: CandleGeometry, up: Bool, into list: inout DisplayList) {
        let time = time
        let price = price
        let line = candle.wick
        let dash = candle.overhang
        series.withColumns { bars in
            for index in visible {
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
    }

    @_optimize(speed)
    private func drawColumns(_ columns: [PixelColumn], up: Bool, into list: inout DisplayList) {
        for column in columns where column.isUp == up {
            let ends = Ends(price, column.high, column.low)
            list.rect(x: column.x, y: ends.top, width: 1, height: max(ends.bottom - ends.top, 1))
        }
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

/// Widths of a candle in whole device pixels.
///
/// Body and wick are both odd or both even wide, so that the wick stands exactly in the body's middle and every edge
/// lies on a pixel.
struct CandleGeometry: Equatable {
    let body: Double
    let wick: Double

    /// CSS pixels that a body is never wider than.
    static let widest = 20.0

    /// - Parameters:
    ///   - spacing: distance of two bars in device pixels.
    ///   - ratio: device pixels per CSS pixel.
    /// - Returns: `nil` where a body would be narrower than two pixels.
    init?(spacing: Double, ratio: Double) {
        // Four fifths of the room, at least a pixel of gap; three pixels side by side where there is room for no gap.
        var body = spacing < 4 ? (spacing < 2.5 ? 1 : 3) : min(Pixels.floor(spacing * 0.8), Pixels.floor(spacing) - 1)
        guard body >= 2 else { return nil }
        body = min(body, Pixels.floor(CandleGeometry.widest * ratio))
        let wick = max(1, min(Pixels.floor(ratio), Pixels.floor(body / 3)))
        if CandleGeometry.isOdd(body) != CandleGeometry.isOdd(wick) { body -= 1 }
        self.body = max(body, wick)
        self.wick = wick
    }

    private static func isOdd(_ pixels: Double) -> Bool { Int(pixels) & 1 == 1 }

    /// Left edge of the wick of a bar with its centre at `x`.
    @inline(__always)
    func wickLeft(_ x: Double) -> Double { Pixels.snap(x - wick / 2) }

    /// How far the body reaches over the wick on either side.
    var overhang: Double { (body - wick) / 2 }
}

extension Scene {
    /// A column from the pane's bottom to each close; where bars are closer than pixels, to the highest close of a column
    /// of pixels. The colour says whether the close is below the one before.
    func drawHistogram(_ scratch: Scratch, up: Bool, into list: inout DisplayList) {
        let bottom = layout.price.bottom
        let price = price
        func column(_ x: Double, _ width: Double, _ close: Double) {
            let y = Pixels.snap(price.y(close))
            if y < bottom { list.rect(x: x, y: y, width: width, height: bottom - y) }
        }
        list.beginRects(up ? theme.up : theme.down)
        if let candle, !scratch.line.isDense {
            series.withColumns { bars in
                for index in visible {
                    let before = index > 0 ? bars.closes[index - 1] : bars.opens[index]
                    guard (bars.closes[index] >= before) == up else { continue }
                    column(candle.wickLeft(time.x(index)) - candle.overhang, candle.body, bars.closes[index])
                }
            }
        } else {
            var before = Double.nan
            for point in scratch.line.points {
                let isUp = !(point.last < before)
                before = point.last
                if isUp == up, point.last == point.last { column(Pixels.floor(point.x), 1, point.high) }
            }
        }
        list.end()
    }
}
