/// Turns finished candles into coarser ones, as they come.
public struct CandleRollup: Sendable {
    public let timeframe: Timeframe
    private var start = Double.nan
    private var end = -Double.infinity
    private var ticks = BarAccumulator()

    public init(to timeframe: Timeframe) { self.timeframe = timeframe }

    /// Adds the next finer candle; they must come in ascending order, and the timeframe be made of theirs.
    /// - Returns: the coarser candle that ended before this one.
    public mutating func add(_ candle: Candle) -> Candle? {
        var finished: Candle?
        if candle.timestamp >= end || start.isNaN {
            finished = forming
            start = timeframe.bucketStart(of: candle.timestamp)
            end = timeframe.bucketEnd(ofBucketAt: start)
            ticks = BarAccumulator()
        }
        ticks.add(BarAccumulator(candle))
        return finished
    }

    /// The coarser candle so far.
    public var forming: Candle? { ticks.isEmpty ? nil : ticks.candle(at: start) }
}
