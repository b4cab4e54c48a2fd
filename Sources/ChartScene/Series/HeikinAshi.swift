internal import MarketModel

/// Smoothed candles after Heikin-Ashi: the close is the mean of the bar's four prices, the open the middle of the body
/// before, and the first open the middle of the first body (Valcu, "Using the Heikin-Ashi Technique", Stocks &
/// Commodities 22:2, 2004).
///
/// A series of its own, aligned with the bars. After a change it is computed on from the first changed bar.
struct HeikinAshi: Sendable {
    private(set) var series: CandleSeries

    init(capacity: Int) { series = CandleSeries(capacity: capacity) }

    /// - Complexity: O(bars)
    mutating func rebuild(_ bars: CandleSeries) {
        series.removeAll()
        if series.capacity != bars.capacity { series = CandleSeries(capacity: bars.capacity) }
        compute(bars, from: 0)
    }

    /// Bars from `index` on changed or came; those before them are as they were, except that the oldest may be gone.
    /// - Complexity: O(1) for the newest bar, otherwise O(bars after it × log bars).
    mutating func update(_ bars: CandleSeries, from index: Int) {
        guard series.capacity == bars.capacity else { return rebuild(bars) }
        compute(bars, from: index)
    }

    private mutating func compute(_ bars: CandleSeries, from index: Int) {
        for at in index..<max(index, bars.count) {
            let bar = bars[at]
            let before = bars.timestamp(at: max(at - 1, 0))
            let place = series.firstIndex(notBefore: before)
            let previous = at > 0 && place < series.count ? series[place] : nil
            // Half of the smallest number is zero, which is no price.
            let open = max(
                previous.map { $0.open / 2 + $0.close / 2 } ?? (bar.open / 2 + bar.close / 2), .leastNonzeroMagnitude)
            let close = max(bar.open / 4 + bar.high / 4 + bar.low / 4 + bar.close / 4, .leastNonzeroMagnitude)
            series.place(
                Candle(
                    timestamp: bar.timestamp, open: open, high: max(bar.high, open, close),
                    low: min(bar.low, open, close), close: close, volume: bar.volume))
        }
    }
}
