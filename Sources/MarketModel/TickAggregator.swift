/// Builds candles of any set of timeframes from ticks, in one pass.
///
/// ```swift
/// var aggregator = TickAggregator(timeframes: [.m1, .m5, .h1])
/// aggregator.ingest(tick) { bar in store(bar) }     // bars that just became final, or were corrected
/// let forming = aggregator.forming(.m1)             // the forming candle, at any time
/// ```
///
/// Each tick touches only one accumulator, that of the coarsest timeframe of which all wanted ones are made; closed
/// buckets are merged upwards. The result is the same as if each timeframe had been built from the ticks.
///
/// **Order.** Within the lateness window the order of ticks does not matter: a bar's open is its earliest tick's
/// price, its close the latest's (of equal times: the first, the last to arrive), its volume the exact sum. A tick of
/// a bucket that is already final changes that bar, which is emitted again with the next `revision`. A tick further
/// behind the newest one than the window is rejected as `.late` and counted.
///
/// **Empty buckets** yield no bar, or with `.flat` a `noTrade` bar that repeats the close.
public struct TickAggregator: Sendable {
    /// What to do about buckets in which nothing traded.
    public enum EmptyBuckets: Sendable, Equatable {
        /// No bar: the next one follows with its own timestamp.
        case omit
        /// A bar of quality `noTrade` (or `gap`) at the last close, at most `limit` in a row; a longer pause is left
        /// open, so that a feed that returns after a year does not emit millions of bars.
        case flat(limit: Int)
    }

    /// What became of a tick.
    public enum Outcome: Sendable, Equatable {
        /// It is in the open bar of every timeframe.
        case updated
        /// It opened a new bucket of at least the finest timeframe; bars that ended with it were emitted.
        case opened
        /// It changed at least one bar that was already final, which was emitted again.
        case corrected
        case rejected(TickRejection)
    }

    /// The wanted timeframes, finest first, each once.
    public let timeframes: [Timeframe]
    /// Seconds a tick may be behind the newest one and still be applied.
    public let lateness: Double
    public let emptyBuckets: EmptyBuckets
    /// Time of the newest tick, `nil` before the first.
    public var lastUpdateTime: Double? { newest > -.infinity ? newest : nil }
    /// Ticks that were not applied.
    public private(set) var rejections = RejectionCounts()
    /// Ticks that changed a final bar.
    public private(set) var corrections = 0
    /// Buckets that `.flat` left open because the pause was longer than its limit.
    public private(set) var unfilledBuckets = 0

    // The base level accepts every tick; `acceptFrom` and `base.end` bound what it may accept without a second look.
    @usableFromInline var base: AggregationLevel
    var levels: [AggregationLevel]
    @usableFromInline var newest = -Double.infinity
    @usableFromInline var acceptFrom = Double.infinity
    var coverageStart = Double.nan
    // Bars before a seed are history's: a tick of theirs would replace a whole bar by a fragment.
    var seededFrom = -Double.infinity
    private var gapEnd = -Double.infinity
    private var isDown = false

    /// - Parameters:
    ///   - timeframes: at least one; order and repetition do not matter.
    ///   - lateness: seconds, default 10. Zero: only ticks in order are applied.
    ///   - emptyBuckets: default `.omit`.
    public init(timeframes: [Timeframe], lateness: Double = 10, emptyBuckets: EmptyBuckets = .omit) {
        let wanted = Timeframe.allCases.filter { timeframes.contains($0) }
        precondition(!wanted.isEmpty, "an aggregator needs at least one timeframe")
        self.timeframes = wanted
        self.lateness = max(0, lateness)
        self.emptyBuckets = emptyBuckets
        let baseTimeframe =
            Timeframe.allCases.last { candidate in wanted.allSatisfy { $0.isMadeOf(candidate) } } ?? .s1
        base = AggregationLevel(timeframe: baseTimeframe, isWanted: wanted.contains(baseTimeframe))
        levels = wanted.filter { $0 != baseTimeframe }.map { AggregationLevel(timeframe: $0, isWanted: true) }
    }

    // MARK: Ticks

    /// Ingests one tick. Never traps on data.
    /// - Parameter emit: receives the bars that became final or were corrected by this tick, finest timeframe first.
    /// - Complexity: O(1); a new base bucket costs O(number of timeframes).
    @inlinable @discardableResult
    public mutating func ingest(_ tick: Tick, emit: (Bar) -> Void) -> Outcome {
        ingest(timestamp: tick.timestamp, price: tick.price, volume: tick.volume, emit: emit)
    }

    /// Ingests one tick given as numbers; the same as `ingest(_:emit:)`.
    @inlinable @discardableResult
    public mutating func ingest(timestamp: Double, price: Double, volume: Double, emit: (Bar) -> Void) -> Outcome {
        // NaN fails every one of these comparisons.
        if timestamp >= acceptFrom, timestamp < base.end, price > 0, price <= Tick.largestNumber, volume >= 0,
            volume <= Tick.largestNumber
        {
            base.ticks.add(timestamp: timestamp, price: price, volume: volume)
            advance(to: timestamp)
            return .updated
        }
        return ingestUnusual(Tick(timestamp: timestamp, price: price, volume: volume), emit: emit)
    }

    /// Never inlined: the usual way, which is, must stay short.
    @usableFromInline @inline(never)
    mutating func ingestUnusual(_ tick: Tick, emit: (Bar) -> Void) -> Outcome {
        if let flaw = tick.flaw { return reject(flaw) }
        let timestamp = tick.timestamp
        if timestamp < newest - lateness || timestamp < seededFrom { return reject(.late) }
        if coverageStart.isNaN { coverageStart = timestamp }
        if base.start.isNaN {
            begin(at: timestamp, emit: emit)
        } else if timestamp >= base.end {
            roll(to: timestamp, emit: emit)
        } else if timestamp < base.start {
            return applyLate(tick, emit: emit)
        }
        base.ticks.add(timestamp: timestamp, price: tick.price, volume: tick.volume)
        advance(to: timestamp)
        return .opened
    }

    private mutating func reject(_ reason: TickRejection) -> Outcome {
        rejections[reason] += 1
        return .rejected(reason)
    }

    /// Moves the newest time, and with it the oldest one that is still accepted.
    @inlinable mutating func advance(to timestamp: Double) {
        if timestamp > newest {
            newest = timestamp
            let oldest = timestamp - lateness
            acceptFrom = oldest > base.start ? oldest : base.start
        }
    }

    mutating func begin(at timestamp: Double, emit: (Bar) -> Void) {
        base.open(bucketOf: timestamp, partialBefore: coverageStart, gapEnd: currentGapEnd)
        for index in levels.indices {
            if levels[index].start.isNaN {
                levels[index].open(bucketOf: timestamp, partialBefore: coverageStart, gapEnd: currentGapEnd)
            } else if timestamp >= levels[index].end {
                // Seeded, and the first tick comes after the seed's bucket.
                turn(level: index, to: timestamp, emit: emit)
            }
        }
        acceptFrom = base.start
    }

    /// Closes the base bucket, and every coarser bucket that ends with it, because a tick of a later one came.
    mutating func roll(to timestamp: Double, emit: (Bar) -> Void) {
        for index in levels.indices { levels[index].ticks.add(base.ticks) }
        Self.turn(
            &base, to: timestamp, oldest: timestamp - lateness, coverageStart: coverageStart, gapEnd: currentGapEnd,
            emptyBuckets: emptyBuckets, unfilled: &unfilledBuckets, emit: emit)
        for index in levels.indices where timestamp >= levels[index].end {
            turn(level: index, to: timestamp, emit: emit)
        }
        acceptFrom = base.start
    }

    private mutating func turn(level index: Int, to timestamp: Double, emit: (Bar) -> Void) {
        Self.turn(
            &levels[index], to: timestamp, oldest: timestamp - lateness, coverageStart: coverageStart,
            gapEnd: currentGapEnd, emptyBuckets: emptyBuckets, unfilled: &unfilledBuckets, emit: emit)
    }

    private var currentGapEnd: Double { isDown ? .infinity : gapEnd }

    private static func turn(
        _ level: inout AggregationLevel, to timestamp: Double, oldest: Double, coverageStart: Double, gapEnd: Double,
        emptyBuckets: EmptyBuckets, unfilled: inout Int, emit: (Bar) -> Void
    ) {
        // A bucket can be open without a tick only after a seed for another timeframe: then nothing became final.
        if !level.ticks.isEmpty {
            let bar = level.close()
            if level.isWanted { emit(bar) }
        }
        let nextStart = level.timeframe.bucketStart(of: timestamp)
        if case .flat(let limit) = emptyBuckets, level.isWanted, level.end < nextStart, !level.lastClose.isNaN {
            fill(&level, upTo: nextStart, limit: limit, gapEnd: gapEnd, unfilled: &unfilled, emit: emit)
        }
        level.forget(endingBefore: oldest)
        level.open(bucketOf: timestamp, partialBefore: coverageStart, gapEnd: gapEnd)
    }

    private static func fill(
        _ level: inout AggregationLevel, upTo nextStart: Double, limit: Int, gapEnd: Double, unfilled: inout Int,
        emit: (Bar) -> Void
    ) {
        let nominal = ((nextStart - level.end) / level.timeframe.seconds).rounded(.up)
        if nominal > Double(limit) {
            let (sum, overflows) = unfilled.addingReportingOverflow(Int(exactly: nominal) ?? .max)
            unfilled = overflows ? .max : sum
            return
        }
        var start = level.end
        while start < nextStart {
            let end = level.timeframe.bucketEnd(ofBucketAt: start)
            let empty = AggregationLevel.Closed(
                start: start, end: end, ticks: BarAccumulator(), flatPrice: level.lastClose, revision: 0,
                quality: start < gapEnd ? .gap : .noTrade)
            level.closed.append(empty)
            emit(level.bar(of: empty))
            start = end
        }
    }

    /// A tick of a base bucket that is already closed, but within the window.
    private mutating func applyLate(_ tick: Tick, emit: (Bar) -> Void) -> Outcome {
        corrections += 1
        let bar = base.correct(
            timestamp: tick.timestamp, price: tick.price, volume: tick.volume, partialBefore: coverageStart)
        if base.isWanted { emit(bar) }
        for index in levels.indices {
            if tick.timestamp >= levels[index].start {
                levels[index].ticks.add(timestamp: tick.timestamp, price: tick.price, volume: tick.volume)
            } else {
                let bar = levels[index].correct(
                    timestamp: tick.timestamp, price: tick.price, volume: tick.volume, partialBefore: coverageStart)
                emit(bar)
            }
        }
        return .corrected
    }

    // MARK: The open bars

    /// The open bar of a wanted timeframe; `nil` before its first tick, and for timeframes that were not requested.
    /// - Complexity: O(1)
    public func forming(_ timeframe: Timeframe) -> Bar? {
        if timeframe == base.timeframe {
            guard base.isWanted, !base.ticks.isEmpty else { return nil }
            return Bar(
                timeframe: timeframe, candle: base.ticks.candle(at: base.start), isFinal: false, revision: 0,
                quality: base.openQuality)
        }
        guard let level = levels.first(where: { $0.timeframe == timeframe }) else { return nil }
        var ticks = level.ticks
        ticks.add(base.ticks)
        guard !ticks.isEmpty else { return nil }
        return Bar(
            timeframe: timeframe, candle: ticks.candle(at: level.start), isFinal: false, revision: 0,
            quality: level.openQuality)
    }

    // MARK: What else is known

    /// Says what a timeframe's open bucket already holds, so that the next ticks continue it instead of starting over.
    ///
    /// Above the base timeframe the candle must end before the next tick's base bucket; ticks of that bucket which it
    /// holds already would count twice.
    /// Ticks older than the seed's bucket are rejected as `.late` from then on.
    /// - Returns: false, and nothing changes, where the timeframe is not a wanted one, ticks have already come, or the
    ///   candle is malformed.
    @discardableResult public mutating func seed(_ timeframe: Timeframe, with candle: Candle) -> Bool {
        guard newest == -.infinity || base.ticks.isEmpty, candle.isWellFormed, timeframes.contains(timeframe) else {
            return false
        }
        var level = AggregationLevel(timeframe: timeframe, isWanted: true)
        level.open(bucketOf: candle.timestamp, partialBefore: -.infinity, gapEnd: -.infinity)
        level.ticks = BarAccumulator(candle)
        level.ticks.openTime = level.start
        level.ticks.closeTime = level.start
        coverageStart = -.infinity
        seededFrom = max(seededFrom, level.start)
        if timeframe == base.timeframe {
            base = level
            newest = max(newest, level.start)
            acceptFrom = level.start
            for index in levels.indices where levels[index].start.isNaN {
                levels[index].open(bucketOf: level.start, partialBefore: level.start, gapEnd: -.infinity)
            }
        } else if let index = levels.firstIndex(where: { $0.timeframe == timeframe }) {
            levels[index] = level
        }
        return true
    }

    /// The feed is known to deliver everything from `time` on: bars that start later are not `partial`. Without this
    /// call the first tick's time is used.
    public mutating func feedStarted(at time: Double) {
        if coverageStart.isNaN { coverageStart = time }
    }

    /// The feed stopped delivering: the open bars, and those that start before it is up again, get quality `gap`.
    public mutating func feedWentDown() {
        isDown = true
        base.sawGap = true
        for index in levels.indices { levels[index].sawGap = true }
    }

    /// The feed delivers again from `time` on; where it was not down, as `feedStarted(at:)`.
    public mutating func feedCameUp(at time: Double) {
        guard isDown else { return feedStarted(at: time) }
        isDown = false
        if time > gapEnd { gapEnd = time }
    }

    /// Forgets everything but the configuration.
    public mutating func reset() {
        self = TickAggregator(timeframes: timeframes, lateness: lateness, emptyBuckets: emptyBuckets)
    }
}
