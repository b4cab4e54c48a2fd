import MarketModel

extension MarketState {
    /// What coarser timeframes are made of when a venue's candles of these come: a month is made of days, not of minutes,
    /// of which it has more than are kept.
    private static let sources: [Timeframe] = [.m1, .h1, .d1]

    /// Takes finished candles that the venue made. They replace ours of the same buckets, and everything that is made of
    /// them is made anew: finished coarser candles, and the open ones as far as they are in the past.
    ///
    /// Candles of the bucket that is open here are not looked at: its trades are still coming.
    /// - Parameters:
    ///   - candles: ascending, without rows for buckets in which nothing traded.
    ///   - coverage: from where on they are all there are.
    ///   - now: seconds since 1970 UTC: what ends later is not finished.
    /// - Returns: the final bars that changed, of all timeframes.
    mutating func join(_ candles: [Candle], of timeframe: Timeframe, coverage: Double, now: Double) -> [Bar] {
        let open = aggregator.forming(timeframe)?.candle.timestamp ?? .infinity
        var changed: [Bar] = []
        for candle in candles where candle.isWellFormed && candle.timestamp < open {
            guard timeframe.bucketEnd(ofBucketAt: candle.timestamp) <= now,
                existing(timeframe, at: candle.timestamp) != candle
            else { continue }
            let bar = Bar(timeframe: timeframe, candle: candle, isFinal: true, revision: 1, quality: .complete)
            place(bar)
            changed.append(bar)
        }
        var source = timeframe
        var starts = changed.map(\.candle.timestamp)
        while true {
            let known = min(source == timeframe ? coverage : .infinity, oldest(source) ?? .infinity)
            let next = Self.sources.first { $0.index > source.index && $0.isMadeOf(source) }
            var nextStarts: [Double] = []
            for coarser in Timeframe.allCases where coarser.index > source.index && coarser.isMadeOf(source) {
                // Of several that it could be made of, the coarsest: made when that one's turn comes.
                if let next, coarser.index > next.index, coarser.isMadeOf(next) { continue }
                let made = rollUp(source, to: coarser, touching: starts, known: known, now: now)
                changed += made
                if coarser == next { nextStarts = made.map(\.candle.timestamp) }
            }
            aggregator.join(past(source, from: known, to: .infinity), of: source, coverage: known)
            guard let next else { return changed }
            source = next
            starts = nextStarts
        }
    }

    /// Makes the finished coarser candles anew in which something changed.
    private mutating func rollUp(
        _ source: Timeframe, to coarser: Timeframe, touching starts: [Double], known: Double, now: Double
    ) -> [Bar] {
        let open = aggregator.forming(coarser)?.candle.timestamp ?? .infinity
        var made: [Bar] = []
        var last = -Double.infinity
        for start in starts {
            let bucket = coarser.bucketStart(of: start)
            guard bucket > last else { continue }
            last = bucket
            let end = coarser.bucketEnd(ofBucketAt: bucket)
            guard bucket >= known, bucket < open, end <= now else { continue }
            var rollup = CandleRollup(to: coarser)
            for candle in past(source, from: bucket, to: end) { _ = rollup.add(candle) }
            guard let candle = rollup.forming, existing(coarser, at: bucket) != candle else { continue }
            let bar = Bar(timeframe: coarser, candle: candle, isFinal: true, revision: 1, quality: .complete)
            place(bar)
            made.append(bar)
        }
        return made
    }
}
