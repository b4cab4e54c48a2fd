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
    /// - Complexity: O(visible bars); at most one column a pixel.
    static func gather(_ series: CandleSeries, _ visible: Range<Int>, _ time: TimeScale, into out: inout [PixelColumn])
    {
        out.removeAll(keepingCapacity: true)
        guard !visible.isEmpty else { return }
        series.withColumns { bars in
            var index = visible.lowerBound
            while index < visible.upperBound {
                let x = Pixels.floor(time.x(index))
                var column = PixelColumn(
                    x: x, low: bars.lows[index], high: bars.highs[index], open: bars.opens[index],
                    close: bars.closes[index], volume: bars.volumes[index])
                index += 1
                while index < visible.upperBound, time.x(index) < x + 1 {
                    let low = bars.lows[index]
                    let high = bars.highs[index]
                    let volume = bars.volumes[index]
                    if low < column.low { column.low = low }
                    if high > column.high { column.high = high }
                    if volume > column.volume { column.volume = volume }
                    index += 1
                }
                column.close = bars.closes[index - 1]
                out.append(column)
            }
        }
    }
}

/// The extremes of the visible bars.
struct VisibleExtremes {
    var low = Double.infinity
    var high = -Double.infinity
    var volume = 0.0

    /// - Complexity: O(visible bars)
    init(_ series: CandleSeries, _ visible: Range<Int>) {
        guard !visible.isEmpty else { return }
        var low = self.low
        var high = self.high
        var volume = self.volume
        series.withColumns { bars in
            for index in visible {
                let barLow = bars.lows[index]
                let barHigh = bars.highs[index]
                let barVolume = bars.volumes[index]
                low = barLow < low ? barLow : low
                high = barHigh > high ? barHigh : high
                volume = barVolume > volume ? barVolume : volume
            }
        }
        self.low = low
        self.high = high
        self.volume = volume
    }
}
