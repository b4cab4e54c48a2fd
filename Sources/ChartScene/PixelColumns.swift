internal import MarketModel

/// What all bars of one column of pixels come to.
struct PixelColumn: Equatable {
    /// The column, in device pixels from the left.
    var x: Double
    var low: Double
    var high: Double
    /// The open of the first bar, then whether the last close is not below it.
    var open: Double
    var close: Double
    var volume: Double

    var isUp: Bool { close >= open }
}

/// Bars closer together than pixels, gathered so that no extreme is lost: every bar belongs to exactly one column, and
/// a column reaches from the lowest low to the highest high of its bars.
enum PixelColumns {
    /// - Complexity: O(columns × log bars); at most one column a pixel.
    @_optimize(speed)
    static func gather(
        _ pyramid: CandlePyramid, _ series: CandleSeries, _ visible: Range<Int>, _ time: TimeScale,
        into out: inout [PixelColumn]
    ) {
        out.removeAll(keepingCapacity: true)
        guard !visible.isEmpty else { return }
        pyramid.withLevels(series) { levels in
            let bars = levels.columns
            var index = visible.lowerBound
            while index < visible.upperBound {
                let x = Pixels.floor(time.x(index))
                let end = firstBar(from: x + 1, within: index + 1..<visible.upperBound, time)
                let extremes = levels.extremes(index..<end)
                out.append(
                    PixelColumn(
                        x: x, low: extremes.low, high: extremes.high, open: bars.opens[index],
                        close: bars.closes[end - 1], volume: extremes.maxVolume))
                index = end
            }
        }
    }

    /// The first of `bars` at pixel `x` or to the right of it; their end where there is none.
    @inline(__always)
    private static func firstBar(from x: Double, within bars: Range<Int>, _ time: TimeScale) -> Int {
        // The scale's inverse is off by rounding; the scale itself decides.
        var bar = integer(time.index(at: x), in: bars.lowerBound...bars.upperBound)
        while bar > bars.lowerBound, time.x(bar - 1) >= x { bar -= 1 }
        while bar < bars.upperBound, time.x(bar) < x { bar += 1 }
        return bar
    }
}
