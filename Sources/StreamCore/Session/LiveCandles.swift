public import MarketModel

/// A stream's candles, kept equal to the server's: the place to put a stream's events, in order.
///
/// ```swift
/// var live = LiveCandles(timeframe: .m1)
/// for await event in subscription.events where live.apply(event) { chart.draw(live.series) }
/// ```
///
/// A snapshot replaces everything, a candle is placed by its timestamp. Between two candle messages the forming bar is
/// brought forward by ticks, so that its close is the last price; the next candle message replaces it by the server's,
/// which knows the exact volume. A tick into a bar that is final, or older than the newest, changes nothing here: where
/// it counts the server sends the corrected candle.
public struct LiveCandles: Sendable {
    public let timeframe: Timeframe
    public private(set) var series: CandleSeries
    /// Whether a snapshot came, and nothing was lost since.
    public private(set) var isComplete = false
    /// The newest bar that the server called final.
    private var finalTimestamp = -Double.infinity
    private var lastTickTimestamp = -Double.infinity

    /// - Parameter capacity: the most candles to keep; the oldest go first.
    public init(timeframe: Timeframe, capacity: Int = 10_000) {
        self.timeframe = timeframe
        series = CandleSeries(capacity: capacity)
    }

    /// Applies one event.
    /// - Returns: whether a candle changed.
    /// - Complexity: that of `CandleSeries.place`, O(n) for a snapshot.
    @discardableResult public mutating func apply(_ event: StreamEvent) -> Bool {
        switch event {
        case .snapshot(let candles, _):
            series.replaceAll(with: candles)
            // The newest may still be forming; the ones before it have ended.
            finalTimestamp = series.count > 1 ? series.timestamp(at: series.count - 2) : -.infinity
            lastTickTimestamp = -.infinity
            isComplete = true
            return true
        case .candle(let bar):
            guard bar.timeframe == timeframe else { return false }
            if bar.isFinal, bar.candle.timestamp > finalTimestamp { finalTimestamp = bar.candle.timestamp }
            switch series.place(bar.candle) {
            case .applied, .merged: return true
            case .rejected: return false
            }
        case .tick(let tick): return bringForward(tick)
        case .gap:
            isComplete = false
            return false
        case .subscribed, .skipped, .stale, .fresh, .refused: return false
        }
    }

    private mutating func bringForward(_ tick: Tick) -> Bool {
        // Not before the stream's past is known: a series would begin in the middle of a bar.
        guard isComplete, tick.timestamp > 0, tick.timestamp <= Tick.latestTimestamp else { return false }
        let start = timeframe.bucketStart(of: tick.timestamp)
        guard start > finalTimestamp else { return false }
        var candle: Candle
        if let last = series.last, start <= last.timestamp {
            guard start == last.timestamp else { return false }
            candle = last
            candle.high = max(candle.high, tick.price)
            candle.low = min(candle.low, tick.price)
            if tick.timestamp >= lastTickTimestamp { candle.close = tick.price }
            var volume = ExactSum(candle.volume)
            volume.add(tick.volume)
            candle.volume = volume.value
        } else {
            candle = Candle(
                timestamp: start, open: tick.price, high: tick.price, low: tick.price, close: tick.price,
                volume: tick.volume)
        }
        lastTickTimestamp = max(lastTickTimestamp, tick.timestamp)
        if case .rejected = series.place(candle) { return false }
        return true
    }
}
