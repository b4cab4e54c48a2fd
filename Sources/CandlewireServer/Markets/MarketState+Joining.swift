import HistoryStore
import MarketModel

extension MarketState {
    // MARK: What is seen

    /// Trades are seen from `time` on.
    mutating func feedCameUp(at time: Double) {
        aggregator.feedCameUp(at: time)
        known.cameUp(at: time)
    }

    /// Trades are not seen any more, and some may have been lost from `time` on.
    mutating func feedWentDown(lossesFrom time: Double) {
        aggregator.feedWentDown()
        known.wentDown(at: time)
    }

    // MARK: What others saw

    /// Up to where candles of a stretch can be joined: what ends later is not finished.
    static func closedEnd(_ covered: Range<Double>, of timeframe: Timeframe, now: Double) -> Double {
        min(covered.upperBound, timeframe.bucketStart(of: now))
    }

    /// Ends the bars that are over by the end of a stretch that is to be joined: a quiet market would keep them open, and
    /// the venue's candles of that time would find no place.
    /// - Returns: what became final.
    mutating func close(_ covered: Range<Double>, of timeframe: Timeframe, now: Double) -> [Bar] {
        var ended: [Bar] = []
        let end = Self.closedEnd(covered, of: timeframe, now: now)
        guard covered.lowerBound < end else { return ended }
        aggregator.closeBars(until: end) { ended.append($0) }
        for bar in ended { place(bar) }
        return ended
    }

    /// Applies finished candles that the venue made. They replace ours of the same buckets, and everything that is made of
    /// them is rebuilt where all of it is known: finished coarser candles, and the open ones as far as they are in the
    /// past. To be called after `close` of the same stretch.
    /// - Parameters:
    ///   - candles: ascending, without rows for buckets in which nothing traded.
    ///   - covered: the stretch of which they are all there are.
    ///   - now: seconds since 1970 UTC: what ends later is not finished.
    /// - Returns: the final bars that changed, of all timeframes.
    mutating func join(_ candles: [Candle], of timeframe: Timeframe, covered: Range<Double>, now: Double) -> [Bar] {
        let end = Self.closedEnd(covered, of: timeframe, now: now)
        guard covered.lowerBound < end else { return [] }
        var changed: [Bar] = []
        for candle in candles where candle.isWellFormed && (covered.lowerBound..<end).contains(candle.timestamp) {
            guard existing(timeframe, at: candle.timestamp) != candle else { continue }
            changed.append(replace(timeframe, candle))
        }
        known.add(covered.lowerBound..<end, of: timeframe)
        var source = timeframe
        while true {
            let whole = known.stretches(of: source)
            let next = KnownPast.sources.first { $0.index > source.index && $0.isMadeOf(source) }
            for coarser in Timeframe.allCases where coarser.index > source.index && coarser.isMadeOf(source) {
                // Of several that it could be made of, the coarsest: made when that one's turn comes.
                if let next, coarser.index > next.index, coarser.isMadeOf(next) { continue }
                changed += rollUp(source, to: coarser, in: covered.lowerBound..<end, whole, now: now)
            }
            if let open = aggregator.openStart(of: source), let start = whole.start(upTo: open) {
                let coverage = holdsAll(source, from: start) ? start : oldest(source) ?? open
                aggregator.join(past(source, from: coverage, to: open), of: source, coverage: coverage)
            }
            guard let next else { return changed }
            source = next
        }
    }

    /// Rebuilds the finished coarser candles that a stretch touches.
    private mutating func rollUp(
        _ source: Timeframe, to coarser: Timeframe, in stretch: Range<Double>, _ whole: TimeStretches, now: Double
    ) -> [Bar] {
        let open = aggregator.openStart(of: coarser) ?? .infinity
        guard let oldest = oldest(source) else { return [] }
        var made: [Bar] = []
        var bucket = coarser.bucketStart(of: max(stretch.lowerBound, oldest))
        while bucket < stretch.upperBound, bucket < open {
            let end = coarser.bucketEnd(ofBucketAt: bucket)
            defer { bucket = end }
            guard end <= now, whole.covers(bucket..<end), holdsAll(source, from: bucket) else { continue }
            var rollup = CandleRollup(to: coarser)
            for candle in past(source, from: bucket, to: end) { _ = rollup.add(candle) }
            guard let candle = rollup.forming, existing(coarser, at: bucket) != candle else { continue }
            made.append(replace(coarser, candle))
        }
        return made
    }

    private mutating func replace(_ timeframe: Timeframe, _ candle: Candle) -> Bar {
        let bar = Bar(
            timeframe: timeframe, candle: candle, isFinal: true,
            revision: revisions.next(timeframe, at: candle.timestamp), quality: .complete)
        place(bar)
        return bar
    }
}

/// How often each final candle of a market was corrected: one that replaces it must have a higher number, or the store keeps
/// what it has.
struct CandleRevisions: Sendable {
    /// More than this of one timeframe are thinned out.
    private static let limit = 2 * MarketState.memory

    private var numbers: [[Double: Int]] = Timeframe.allCases.map { _ in [:] }

    mutating func note(_ revision: Int, _ timeframe: Timeframe, at start: Double) {
        guard revision > numbers[timeframe.index][start] ?? 0 else { return }
        numbers[timeframe.index][start] = revision
        guard numbers[timeframe.index].count > Self.limit else { return }
        // Candles this old are in no memory any more, and are not corrected.
        let oldest = numbers[timeframe.index].keys.sorted()[Self.limit / 2]
        numbers[timeframe.index] = numbers[timeframe.index].filter { $0.key >= oldest }
    }

    /// The number of a candle's next correction.
    mutating func next(_ timeframe: Timeframe, at start: Double) -> Int {
        let revision = (numbers[timeframe.index][start] ?? 0) + 1
        note(revision, timeframe, at: start)
        return revision
    }
}
