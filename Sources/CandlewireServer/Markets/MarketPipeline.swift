import HistoryStore
import MarketFeeds
import MarketModel
import StreamCore

/// The way of a tick inside the process: validate, aggregate, keep, publish.
///
/// Confined to the market loop: no lock, no `await`. What leaves it goes through `publisher` (the streams) and `persist`
/// (the store), both of which return at once.
final class MarketPipeline {
    let registry: MarketRegistry
    private(set) var counts = PipelineCounts()
    var markets: [MarketState]
    /// What waits for the past of markets that have none in memory.
    var restoring = RestoreQueue()
    /// Called for each market whose past is to come back; the one that restores it returns true.
    var onRestore: [(_ market: Int) -> Bool] = []
    /// Known pasts put together so far, for a candle or for many.
    private(set) var pastsMade = 0
    private var validator: TickValidator
    /// Seconds that a trade's time may be ahead of the feed's clock.
    var maxAhead: Double { validator.maxAhead }
    private let publisher: StreamPublisher
    private let persist: (_ market: Int, _ bars: [Bar]) -> Void
    /// By market: what its readers do not know of its forming candles.
    private var forming: [FormingNews]
    /// Bars of the tick being handled; kept to reuse its memory.
    private var finals: [Bar] = []
    private var staleWatch: StaleWatch
    /// Whether ticks are to be expected: not after the end of a recording.
    var isLive = true { didSet { if isLive != oldValue { observer?.feedChanged(isLive: isLive) } } }
    /// Notified of each accepted tick, after its subscribers.
    var observer: (any MarketObserver)?
    /// Called for each market that a client requests: one that was paused is to be resumed.
    var onDemand: [(_ market: Int) -> Void] = []
    /// The time by the feed's own clock.
    private(set) var now = 0.0
    /// Distinguishes positions of the list of markets from those of other runs.
    let run = UInt32.random(in: .min ... .max)
    /// Changes of what the list of markets says of one.
    private(set) var changes = 0

    init(
        registry: MarketRegistry, publisher: StreamPublisher, validator: TickValidator = TickValidator(),
        persist: @escaping (_ market: Int, _ bars: [Bar]) -> Void
    ) {
        self.registry = registry
        self.publisher = publisher
        self.validator = validator
        self.persist = persist
        markets = registry.markets.map { _ in MarketState() }
        forming = registry.markets.map { _ in .none }
        staleWatch = StaleWatch(markets: registry.markets.count)
    }

    // MARK: Ticks

    /// Applies one tick.
    /// - Parameter now: the feed's clock, seconds since 1970 UTC.
    func ingest(market: Int, _ tick: Tick, now: Double) {
        self.now = now
        if let reason = validator.check(tick, now: now) {
            reject(reason, market)
            return
        }
        if markets[market].deviation?.passes(tick.price) == false {
            reject(.deviation, market)
            return
        }
        finals.removeAll(keepingCapacity: true)
        let outcome = markets[market].aggregator.ingest(tick) { finals.append($0) }
        switch outcome {
        case .rejected(let reason):
            reject(reason, market)
            return
        case .updated:
            publisher.publish(tick, market: market)
        case .opened:
            // The bars that ended do not hold this tick: they go first.
            finish(market, isCorrection: false)
            publisher.publish(tick, market: market)
        case .corrected:
            // The corrected bars hold this tick: they go after it.
            publisher.publish(tick, market: market)
            finish(market, isCorrection: true)
            counts.corrected += 1
        }
        counts.accepted += 1
        changed(market)
        markets[market].ticks += 1
        if tick.timestamp >= markets[market].lastTick?.timestamp ?? 0 {
            markets[market].lastTick = tick
            markets[market].lastTickReceivedAt = now
        }
        // In the same write as the tick: on a busy market a candle costs its readers no write of its own.
        if forming[market] == .due { publishForming(of: market) } else { forming[market] = .some }
        observer?.market(market, traded: tick, now: now)
        if markets[market].isEvicted { restore(market) }
    }

    private func reject(_ reason: TickRejection, _ market: Int) {
        counts.rejections[reason] += 1
        markets[market].rejections[reason] += 1
    }

    private func finish(_ market: Int, isCorrection: Bool) {
        guard !finals.isEmpty else { return }
        for bar in finals { markets[market].place(bar) }
        report(finals, market, isCorrection: isCorrection)
    }

    private func report(_ finals: [Bar], _ market: Int, isCorrection: Bool) {
        guard !finals.isEmpty else { return }
        // All bars of one tick are stored together or not at all: a restart must not find the seconds without the
        // minute that ended with them.
        persist(market, finals)
        for bar in finals { publisher.publish(bar, market: market, isCorrection: isCorrection) }
        counts.finalCandles += finals.count
        if !isCorrection { observer?.market(market, finished: finals) }
    }

    // MARK: Markets that come and go

    /// The registry has a new market, or again one that was removed.
    func added() { publisher.readSymbols() }

    /// Ends what clients read of a market that the registry does not list any more.
    func removed(_ market: Int) { publisher.end(market: market) }

    // MARK: The feed of a market

    func setFeed(_ state: MarketFeedState, ofMarket market: Int) {
        changed(market)
        markets[market].feed = state
        // Nothing would correct what the venue sent last.
        if state != .live { markets[market].quote = nil }
        if state == .paused || state == .off { observer?.marketPaused(market) }
    }

    /// Applies a venue's best prices, and its figures of the last 24 hours.
    func apply(_ quote: VenueQuote, market: Int, now: Double) {
        changed(market)
        if markets[market].quote == nil { markets[market].quote = MarketQuote() }
        markets[market].quote?.apply(quote, now: now)
    }

    func setSession(_ session: SessionDay?, ofMarket market: Int) {
        changed(market)
        markets[market].session = session
    }

    func noteDecimals(_ decimals: Int, ofMarket market: Int) {
        guard decimals > markets[market].decimals else { return }
        changed(market)
        markets[market].decimals = decimals
    }

    /// What `summary` says of a market may be something else from here on.
    func changed(_ market: Int) {
        changes += 1
        markets[market].changedAt = changes
    }

    /// Trades are not seen any more, and some may have been lost from `time` on: the open bars have a gap.
    func feedWentDown(_ market: Int, lossesFrom time: Double) { markets[market].feedWentDown(lossesFrom: time) }

    /// Trades are seen from `time` on.
    func feedCameUp(_ market: Int, at time: Double) { markets[market].feedCameUp(at: time) }

    /// Trades are missing that should have come after the one of `time` and before `end`.
    func feedMissed(_ market: Int, since time: Double, until end: Double) {
        feedWentDown(market, lossesFrom: time)
        feedCameUp(market, at: end)
    }

    enum FormingNews {
        case none
        /// It traded since its forming candles were published.
        case some
        /// And they are published with its next tick.
        case due
    }

    /// Makes the forming candles due of markets that traded since they were published. They leave with the next tick, or by
    /// `publishForming`.
    func makeFormingDue() { for market in forming.indices where forming[market] == .some { forming[market] = .due } }

    /// Publishes the forming candles that are due.
    func publishForming() {
        for market in forming.indices where forming[market] == .due { publishForming(of: market) }
    }

    private func publishForming(of market: Int) {
        forming[market] = .none
        publisher.forEachActiveTimeframe(of: market) { timeframe in markets[market].aggregator.forming(timeframe) }
    }

    /// Notifies the readers of markets that stopped trading. Once a second.
    func reportStale(now: Double) {
        for market in markets.indices {
            let isWatched = isLive && publisher.hasReaders(market: market)
            let age = staleAge(market, isWatched: isWatched, now: now)
            if let age { publisher.reportStale(market: market, age: age) }
        }
    }

    /// Seconds without a trade, where that is to be reported now. Best prices are none: readers do not get them, and the
    /// channel of the trades may be the one that is dead.
    func staleAge(_ market: Int, isWatched: Bool, now: Double) -> Double? {
        staleWatch.review(market, ticks: markets[market].ticks, isWatched: isWatched, now: now)
    }

    // MARK: The past

    /// Puts final candles of earlier times in place.
    func place(_ candles: [Candle], market: Int, timeframe: Timeframe) {
        changed(market)
        markets[market].place(candles, timeframe)
    }

    /// Puts stored candles in place, but for those that were built meanwhile.
    /// - Parameters:
    ///   - candles: ascending.
    ///   - revisions: those that are over 0, by their candle's start.
    /// - Returns: the start of the newest that was not built meanwhile.
    @discardableResult
    func placeStored(_ candles: [Candle], revisions: [Double: Int], market: Int, timeframe: Timeframe) -> Double? {
        changed(market)
        for (start, revision) in revisions { markets[market].revisions.note(revision, timeframe, at: start) }
        return markets[market].placeMissing(candles, timeframe)
    }

    /// More changed candles of one timeframe than this restart its streams, instead of being sent one by one.
    private static let maxSingleChanges = 50
    /// Candles with which they begin.
    private static let newStart = 1000

    /// Applies a venue's own finished candles in the place of what was missed here; what is made of them is rebuilt, stored
    /// and published. Of a market whose past is not in memory it accepts none: the caller waits (`whenRestored`).
    /// - Parameters:
    ///   - candles: ascending, without rows for buckets in which nothing traded.
    ///   - covered: the stretch of which they are all there are.
    /// - Returns: how many bars changed, of all timeframes.
    func join(_ candles: [Candle], market: Int, timeframe: Timeframe, covered: Range<Double>, now: Double) -> Int {
        guard !markets[market].isEvicted else { return 0 }
        changed(market)
        report(markets[market].close(covered, of: timeframe, now: now), market, isCorrection: false)
        let changed = markets[market].join(candles, of: timeframe, covered: covered, now: now)
        if forming[market] == .none { forming[market] = .some }
        guard !changed.isEmpty else { return 0 }
        persist(market, changed)
        if changed.count > Self.maxSingleChanges {
            restartStreams(market)
        } else {
            for bar in changed { publisher.publish(bar, market: market, isCorrection: true) }
        }
        counts.corrected += changed.count
        return changed.count
    }

    /// Shows the readers of a market its candles as if they had just come.
    func restartStreams(_ market: Int) {
        publisher.restart(market: market) { markets[market].candles($0, limit: Self.newStart) }
    }

    /// Forgets everything built so far: a recording restarts.
    func reset() {
        for market in markets.indices {
            markets[market] = MarketState(maxDeviation: markets[market].deviation?.maxPercent)
            changed(market)
        }
        publisher.restartAll()
        observer?.marketsRestarted()
        isLive = true
    }

    // MARK: Reading

    /// A client subscribes to a market, orders in it or requests its candles.
    func demand(_ market: Int) { for notify in onDemand { notify(market) } }

    /// Those of these markets with readers, orders or a position.
    func watched(_ markets: Range<Int>) -> Set<Int> {
        // One look at the accounts for all markets.
        var watched = observer?.involvedMarkets() ?? []
        for market in markets where publisher.hasReaders(market: market) { watched.insert(market) }
        return watched
    }

    // MARK: A venue's own candles beside ours

    /// Of which time a market's candles were received without a gap, or are in place as the venue sent them.
    func known(_ timeframe: Timeframe, market: Int) -> TimeStretches {
        pastsMade += 1
        return markets[market].known.stretches(of: timeframe)
    }

    /// Whether this bucket is. For many, get what is known once.
    func knows(_ timeframe: Timeframe, at start: Double, market: Int) -> Bool {
        let bucket = start..<timeframe.bucketEnd(ofBucketAt: start)
        return !bucket.isEmpty && known(timeframe, market: market).covers(bucket)
    }

    /// Whether this bucket was received without a gap, and has nothing in it that the venue made.
    func isOwn(_ timeframe: Timeframe, at start: Double, market: Int) -> Bool {
        let bucket = start..<timeframe.bucketEnd(ofBucketAt: start)
        return !bucket.isEmpty && markets[market].known.isOwn(timeframe, bucket)
    }

    /// The candle of this bucket, finished or not.
    func candle(_ timeframe: Timeframe, at start: Double, market: Int) -> Candle? {
        if let open = markets[market].aggregator.forming(timeframe)?.candle, open.timestamp == start { return open }
        return markets[market].existing(timeframe, at: start)
    }

    func candles(market: Int, timeframe: Timeframe, limit: Int) -> [Candle] {
        markets[market].candles(timeframe, limit: limit)
    }

    /// The newest minutes for indicators, also of a market whose past is not in memory, where there are few markets.
    func studiedMinutes(market: Int) -> [Candle] { markets[market].minutes(limit: MarketDigest.studiedMinutes) }

    /// The newest `limit` candles, and older ones as far back as `start`.
    func candles(market: Int, timeframe: Timeframe, limit: Int, from start: Double) -> [Candle] {
        let all = markets[market].candles(timeframe, limit: .max)
        let needed = all.count - (all.firstIndex { $0.timestamp >= start } ?? all.count)
        return Array(all.suffix(max(limit, needed)))
    }

    /// All that is in memory, and whether there may be older candles in the store.
    func memory(market: Int, timeframe: Timeframe) -> (candles: [Candle], isAll: Bool) {
        (markets[market].candles(timeframe, limit: .max), markets[market].holdsAll(timeframe))
    }

    /// Ticks of these markets that were not accepted, by reason.
    func rejections(ofMarkets range: Range<Int>) -> RejectionCounts {
        range.reduce(into: RejectionCounts()) { $0.add(markets[$1].rejections) }
    }

    func summaries() -> [MarketSummary] { registry.listed.map(summary) }

    func summary(of index: Int) -> MarketSummary {
        let candles = markets[index].dayCandles
        let newest = markets[index].minutes(limit: 1).last
        let last = markets[index].lastTick
        let reference = max(now, newest?.timestamp ?? 0)
        let (lastPrice, lastTime) = (last?.price ?? newest?.close, last?.timestamp ?? newest?.timestamp)
        let session = lastPrice.flatMap { price in
            lastTime.flatMap { markets[index].session?.including(candles, last: price, at: $0) }
        }
        return MarketSummary(
            market: index, lastPrice: lastPrice, lastTime: lastTime,
            receivedAt: markets[index].lastTickReceivedAt,
            day: day(of: index, last?.price) ?? DayStatistics(minutes: candles, now: reference),
            session: session,
            sparkline: markets[index].sparkline, feed: markets[index].feed, decimals: markets[index].decimals,
            bid: markets[index].currentQuote?.bid, ask: markets[index].currentQuote?.ask,
            maxLeverage: observer?.maxLeverage)
    }

    /// The venue's own, which has seen all of the day.
    private func day(of market: Int, _ last: Double?) -> DayStatistics? {
        guard let day = markets[market].currentQuote?.day, let last else { return nil }
        return DayStatistics(
            open: day.open, high: max(day.high, last), low: min(day.low, last), volume: day.volume, close: last)
    }
}
