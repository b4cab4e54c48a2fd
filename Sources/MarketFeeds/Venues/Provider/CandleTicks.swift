package import MarketModel

/// Makes ticks of a provider's running candles, where it sends no trades: those that must have happened for the candle to
/// have become what it is. Built into candles they give the same open, high, low, close and volume.
///
/// One for each market. Of candles of several lengths the shortest count: they have the others in them.
package struct CandleTicks: Sendable {
    private var last: VenueCandle?

    package init() {}

    /// How far back the first ticks of a candle may lie, seconds: older ones do not count as trades.
    private static let reach = 240.0

    /// - Parameters:
    ///   - candle: as it is now, closed or not.
    ///   - now: seconds since 1970 UTC: the ticks are of this moment, as far as that lies in the candle. What a candle had
    ///     in it when it first came is of its beginning: when it happened is unknown, only that it is over.
    ///   - emit: gets the ticks, in order; at most four.
    package mutating func accept(_ received: VenueCandle, timeframe: Timeframe, now: Double, emit: (Tick) -> Void) {
        let candle = received.candle
        if let last, last.seconds < received.seconds || last.candle.timestamp > candle.timestamp { return }
        // A double of these times has microseconds; the end itself is in the next bucket.
        let end = timeframe.bucketEnd(ofBucketAt: candle.timestamp) - 0.000_1
        let time = max(candle.timestamp, min(now, end))
        let isOtherLength = last.map { $0.seconds != received.seconds } ?? false
        let start = isOtherLength ? time : min(time, max(candle.timestamp, now - Self.reach))
        func send(_ price: Double, _ volume: Double = 0, at moment: Double) {
            emit(Tick(timestamp: moment, price: price, volume: volume))
        }
        let before = last.flatMap {
            $0.seconds == received.seconds && $0.candle.timestamp == candle.timestamp ? $0.candle : nil
        }
        last = received
        guard let before else {
            send(candle.open, candle.volume, at: start)
            if candle.high > max(candle.open, candle.close) { send(candle.high, at: start) }
            if candle.low < min(candle.open, candle.close) { send(candle.low, at: start) }
            return send(candle.close, at: time)
        }
        guard candle != before else { return }
        if candle.high > before.high, candle.high > candle.close { send(candle.high, at: time) }
        if candle.low < before.low, candle.low < candle.close { send(candle.low, at: time) }
        send(candle.close, max(0, candle.volume - before.volume), at: time)
    }
}
