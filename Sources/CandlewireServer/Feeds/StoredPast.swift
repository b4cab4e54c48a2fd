import HistoryStore
import MarketModel

/// Reads from the store where a market's history ends, and what the buckets that are open there already hold.
struct StoredPast {
    let symbol: String
    let store: CandleStore

    /// `nil` where there is no history yet.
    func read() async throws -> SimulatedHistory.Past? {
        guard let lastSecond = try await store.lastTimestamp(symbol: symbol, timeframe: .s1),
            let last = try await store.candles(symbol: symbol, timeframe: .s1, limit: 1).last
        else { return nil }
        let end = lastSecond + 1
        // Whole days of the month and week, whole hours of the day, and so on: each stretch once.
        let start = min(Timeframe.mo1.bucketStart(of: end), Timeframe.w1.bucketStart(of: end))
        let borders = [
            start, Timeframe.d1.bucketStart(of: end), Timeframe.h1.bucketStart(of: end),
            Timeframe.m1.bucketStart(of: end), end,
        ]
        var bars: [Bar] = []
        for (index, timeframe) in [Timeframe.d1, .h1, .m1, .s1].enumerated() where borders[index] < borders[index + 1] {
            let candles = try await store.candles(
                symbol: symbol, timeframe: timeframe, from: borders[index], before: borders[index + 1], limit: 100_000)
            bars += candles.map {
                Bar(timeframe: timeframe, candle: $0, isFinal: true, revision: 0, quality: .complete)
            }
        }
        return SimulatedHistory.Past(candles: bars, end: end, price: last.close)
    }
}
