/// What a study sees while it goes over bars: their columns to read, its own columns to write, and scratch memory.
///
/// Rows are counted from the oldest bar of the series. `base` more came before it and were dropped; what must not
/// depend on the drop (where a window's blocks begin, how many values a seed has seen) counts from the first of those.
///
/// The pointers are valid only while `StudyColumns` runs the study.
struct StudyTape {
    let bars: CandleColumns
    let base: Int
    let source: PriceSource
    /// The study's first column; the next one lies `stride` further.
    let columns: UnsafeMutablePointer<Double>
    let stride: Int
    let scratch: UnsafeMutablePointer<Double>

    @inline(__always) var highs: UnsafeBufferPointer<Double> { bars.highs }
    @inline(__always) var lows: UnsafeBufferPointer<Double> { bars.lows }
    @inline(__always) var closes: UnsafeBufferPointer<Double> { bars.closes }
    @inline(__always) var volumes: UnsafeBufferPointer<Double> { bars.volumes }

    /// How many bars came before row `at`, dropped ones included.
    @inline(__always) func age(_ at: Int) -> Int { base + at }

    /// The price of row `at` that the settings ask for.
    @inline(__always) func price(_ at: Int) -> Double {
        switch source {
        case .close: closes[at]
        case .hl2: (highs[at] + lows[at]) / 2
        case .hlc3: typical(at)
        case .ohlc4: (bars.opens[at] + highs[at] + lows[at] + closes[at]) / 4
        }
    }

    /// (high + low + close) / 3
    @inline(__always) func typical(_ at: Int) -> Double { (highs[at] + lows[at] + closes[at]) / 3 }

    @inline(__always) func value(_ column: Int, _ at: Int) -> Double { columns[column * stride + at] }

    /// Sets a column's value. What is not finite (the sum of two prices near the largest number) becomes NaN, "no
    /// value", so that no drawing code has to handle infinity.
    @inline(__always) func set(_ column: Int, _ at: Int, _ value: Double) {
        columns[column * stride + at] = value.isFinite ? value : .nan
    }

    /// The first row of a column, for windows over the study's own values.
    @inline(__always) func column(_ column: Int) -> UnsafeBufferPointer<Double> {
        UnsafeBufferPointer(start: columns + column * stride, count: stride)
    }

    /// The true range: the bar's own range, or from the close before to its far end where that is more. NaN for the
    /// very first bar, which has no close before. Source: J. W. Wilder, "New Concepts in Technical Trading Systems"
    /// (1978).
    @inline(__always) func trueRange(_ at: Int) -> Double {
        guard age(at) > 0 else { return .nan }
        let before = closes[at - 1]
        return max(highs[at], before) - min(lows[at], before)
    }
}
