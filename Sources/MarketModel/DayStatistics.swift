/// A market's last 24 hours, from its one-minute candles: a true rolling window, to the minute.
public struct DayStatistics: Sendable, Equatable {
    public var open: Double
    public var high: Double
    public var low: Double
    public var close: Double
    private var sum: ExactSum

    public init(open: Double, high: Double, low: Double, volume: Double, close: Double) {
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        sum = ExactSum(volume)
    }

    /// `nil` where there is no candle in the window.
    /// - Parameter minutes: ascending; those that start before `now - 24 h` are left out.
    public init?(minutes: [Candle], now: Double) {
        let window = minutes.drop { $0.timestamp < now - 86_400 }
        guard let first = window.first, let last = window.last else { return nil }
        open = first.open
        close = last.close
        high = first.high
        low = first.low
        sum = ExactSum()
        for candle in window { add(candle) }
    }

    /// Adds a candle that comes after all others.
    public mutating func add(_ candle: Candle) {
        high = max(high, candle.high)
        low = min(low, candle.low)
        sum.add(candle.volume)
        close = candle.close
    }

    /// In the base currency: the exact sum, rounded once.
    public var volume: Double { sum.value }
    /// In the quote currency.
    public var change: Double { close - open }
    /// In percent; nil where there is nothing to compare with.
    public var changePercent: Double? { open > 0 ? change / open * 100 : nil }
}
