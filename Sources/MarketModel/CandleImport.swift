/// Fills a series from candles that come one by one, in any order and any number, without a copy of them all.
///
/// ```swift
/// var candles = CandleImport(into: series, expecting: rows)     // uses the storage again; its bars are gone
/// for row in 0..<rows { candles.add(candle(row)) }
/// series = candles.finish()
/// ```
package struct CandleImport: Sendable {
    /// How many candles were left out because they are not well formed.
    package private(set) var malformed = 0
    /// How many were well formed.
    package private(set) var accepted = 0
    private var series: CandleSeries
    /// Those that came after one with the same or a later timestamp.
    private var late: [Candle] = []

    /// - Parameters:
    ///   - series: its capacity holds, and its storage is used again; its bars go.
    ///   - expected: about how many candles will come; 0 where that is unknown.
    package init(into series: consuming CandleSeries, expecting expected: Int = 0) {
        self.series = series
        self.series.removeAll()
        self.series.reserve(expected)
    }

    /// - Complexity: O(1)
    @inline(__always)
    package mutating func add(_ candle: Candle) {
        guard candle.isWellFormed else {
            malformed += 1
            return
        }
        accepted += 1
        if !series.appendIfNewest(candle) { late.append(candle) }
    }

    /// The series with all that was added: of equal timestamps the last one wins, and beyond the cap the newest stay.
    /// - Complexity: O(1) where everything came in order; otherwise O(n + late log late).
    package consuming func finish() -> CandleSeries {
        if !late.isEmpty { series.merge(late) }
        return series
    }
}
