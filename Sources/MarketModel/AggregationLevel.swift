/// One timeframe inside an aggregator: the bucket that is being built, and the closed ones a late tick may still reach.
@usableFromInline struct AggregationLevel: Sendable {
    /// A bar that is final but not yet out of reach.
    struct Closed: Sendable {
        var start: Double
        var end: Double
        var ticks: BarAccumulator
        /// The close that an empty bucket repeats.
        var flatPrice: Double
        var revision: Int
        var quality: CandleQuality
    }

    let timeframe: Timeframe
    /// Whether this timeframe was requested; the base level may exist for the others only.
    let isWanted: Bool
    /// The open bucket, `start` being NaN before the first tick.
    @usableFromInline var start = Double.nan
    @usableFromInline var end = -Double.infinity
    /// Ticks of the open bucket. On levels above the base: those of its closed base buckets.
    @usableFromInline var ticks = BarAccumulator()
    var isPartial = false
    var sawGap = false
    /// Closed bars within the lateness window, oldest first.
    var closed: [Closed] = []
    var lastClose = Double.nan

    init(timeframe: Timeframe, isWanted: Bool) {
        self.timeframe = timeframe
        self.isWanted = isWanted
    }

    mutating func open(bucketOf timestamp: Double, partialBefore coverageStart: Double, gapEnd: Double) {
        start = timeframe.bucketStart(of: timestamp)
        end = timeframe.bucketEnd(ofBucketAt: start)
        ticks = BarAccumulator()
        isPartial = start < coverageStart
        sawGap = start < gapEnd
    }

    var openQuality: CandleQuality { sawGap ? .gap : isPartial ? .partial : .complete }

    func bar(of closed: Closed) -> Bar {
        let candle =
            closed.ticks.isEmpty
            ? Candle(
                timestamp: closed.start, open: closed.flatPrice, high: closed.flatPrice, low: closed.flatPrice,
                close: closed.flatPrice, volume: 0)
            : closed.ticks.candle(at: closed.start)
        return Bar(
            timeframe: timeframe, candle: candle, isFinal: true, revision: closed.revision, quality: closed.quality)
    }

    /// Closes the open bucket and says what became final.
    mutating func close() -> Bar {
        let bar = Closed(start: start, end: end, ticks: ticks, flatPrice: lastClose, revision: 0, quality: openQuality)
        lastClose = ticks.close
        closed.append(bar)
        return self.bar(of: bar)
    }

    /// Forgets closed bars that no tick can reach any more.
    mutating func forget(endingBefore oldest: Double) {
        var reachable = 0
        while reachable < closed.count, closed[reachable].end <= oldest { reachable += 1 }
        if reachable > 0 { closed.removeFirst(reachable) }
    }

    /// Puts a late tick into the bucket it belongs to, which is not the open one.
    mutating func correct(
        timestamp: Double, price: Double, volume: Double, partialBefore coverageStart: Double
    ) -> Bar {
        let bucket = timeframe.bucketStart(of: timestamp)
        var index = closed.count
        while index > 0, closed[index - 1].start >= bucket { index -= 1 }
        if index < closed.count, closed[index].start == bucket {
            closed[index].ticks.add(timestamp: timestamp, price: price, volume: volume)
            closed[index].revision += 1
            if closed[index].quality == .complete || closed[index].quality == .noTrade {
                closed[index].quality = .corrected
            }
            return bar(of: closed[index])
        }
        // Nothing had traded in that bucket: the bar is new, and final at once.
        var late = Closed(
            start: bucket, end: timeframe.bucketEnd(ofBucketAt: bucket), ticks: BarAccumulator(), flatPrice: price,
            revision: 0, quality: bucket < coverageStart ? .partial : .complete)
        late.ticks.add(timestamp: timestamp, price: price, volume: volume)
        closed.insert(late, at: index)
        return bar(of: late)
    }
}
