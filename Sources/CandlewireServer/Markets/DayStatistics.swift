import MarketModel

/// A market's last 24 hours, from its one-minute candles: a true rolling window, to the minute.
struct DayStatistics: Sendable, Equatable {
    var open: Double
    var high: Double
    var low: Double
    var volume: Double
    var close: Double

    /// - Parameter minutes: ascending; those that start before `now - 24 h` are left out.
    init?(minutes: [Candle], now: Double) {
        let window = minutes.drop { $0.timestamp < now - 86_400 }
        guard let first = window.first, let last = window.last else { return nil }
        open = first.open
        close = last.close
        high = first.high
        low = first.low
        volume = 0
        for candle in window {
            high = max(high, candle.high)
            low = min(low, candle.low)
            volume += candle.volume
        }
    }

    var change: Double { close - open }
    /// In percent; nil where there is nothing to compare with.
    var changePercent: Double? { open > 0 ? change / open * 100 : nil }
}
