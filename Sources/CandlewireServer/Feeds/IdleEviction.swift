import Logging
import MarketFeeds
import MarketModel
import NIOCore

/// Gives the past of a feed's markets without trades and readers back to the store, and brings it back when it is
/// wanted.
///
/// A past that only fetched candles required leaves again when they are in place: after an outage the markets come back
/// a few at a time, and not all into memory. Confined to the market loop, but for writing and reading.
final class IdleEviction {
    /// Pasts that are read at the same time.
    static let readers = 4

    private let core: MarketCore
    private let pipeline: MarketPipeline
    private let markets: Range<Int>
    private let past: any MarketPast
    private let clock: @Sendable () -> Double
    private let isLoading: (_ market: Int) -> Bool
    private let title: String
    private let logger: Logger
    private var watch: IdleWatch
    private var timer: RepeatedTask?
    /// Idle markets, until what is not stored yet is written.
    private var leaving: Set<Int> = []
    private var flushing: Task<Void, Never>?
    /// Markets whose past is wanted, in the order of the requests.
    private var wanted: [Int] = []
    private var reading: [Int: Task<Void, Never>] = [:]
    private var isStopped = false
    /// The last attempt to bring a past back failed.
    private var isFailing = false
    /// Pasts that left the memory so far, those that came back, and attempts at it that failed.
    private(set) var evictions = 0
    private(set) var restorations = 0
    private(set) var failures = 0

    /// - Parameters:
    ///   - limit: seconds without a trade and without a reader.
    ///   - clock: seconds that never go back.
    ///   - isLoading: whether a market's stored past is being read for the first time.
    init(
        _ core: MarketCore, _ markets: Range<Int>, after limit: Double, to past: any MarketPast,
        clock: @escaping @Sendable () -> Double, title: String, logger: Logger,
        isLoading: @escaping (_ market: Int) -> Bool
    ) {
        self.core = core
        pipeline = core.onLoop.pipeline
        self.markets = markets
        self.past = past
        self.clock = clock
        self.title = title
        self.logger = logger
        self.isLoading = isLoading
        watch = IdleWatch(markets: markets.count, limit: limit, now: clock())
        pipeline.onDemand.append { [weak self] market in self?.use(market) }
        pipeline.onRestore.append { [weak self] market in self?.want(market) ?? false }
    }

    func start() {
        // A review looks at each market; a sixtieth of the limit is exact enough.
        timer = core.loop.runEvery(min(max(watch.limit / 60, 1), 60), self) { $0.review() }
    }

    /// - Returns: what is still at work, and ends soon.
    func stop() -> [Task<Void, Never>] {
        isStopped = true
        timer?.cancel()
        for market in wanted { pipeline.restored(market, isWhole: false) }
        wanted = []
        let tasks = Array(reading.values) + [flushing].compactMap { $0 }
        for task in tasks { task.cancel() }
        return tasks
    }

    /// Markets whose past is not in memory.
    var idleCount: Int { pipeline.evicted(markets) }

    func review() {
        pipeline.retryRestoring(markets)
        release(idle(Array(markets)))
    }

    private func use(_ market: Int) {
        if markets.contains(market) { watch.use(market - markets.lowerBound, now: clock()) }
    }

    /// Those that have been idle for so long, and still have their past.
    private func idle(_ some: [Int]) -> [Int] {
        guard let first = some.min(), let last = some.max() else { return [] }
        let now = clock()
        let watched = pipeline.watched(first..<last + 1)
        // Some numbers are kept free.
        let known = pipeline.registry.markets
        return some.filter { market in
            guard !known[market].symbol.isEmpty else { return false }
            let isIdle = watch.review(
                market - markets.lowerBound, activity: pipeline.activity(market),
                isWatched: watched.contains(market) || isLoading(market), now: now)
            return isIdle && !pipeline.isEvicted(market)
        }
    }

    // MARK: Away

    /// Lets the past of idle markets go as soon as everything is written.
    private func release(_ some: [Int]) {
        leaving.formUnion(some)
        guard flushing == nil, !leaving.isEmpty, !isStopped else { return }
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        let (loop, past, now) = (core.loop, past, leaving)
        leaving = []
        flushing = Task {
            // What cannot be written is in memory only: then it stays there.
            let isWritten = (try? await past.flush()) != nil
            loop.execute {
                bound.value.flushing = nil
                if isWritten { bound.value.evict(now) }
                bound.value.release([])
            }
        }
    }

    private func evict(_ some: Set<Int>) {
        guard past.isComplete else { return }
        for market in idle(some.sorted()) where pipeline.evict(market) { evictions += 1 }
    }

    // MARK: And back

    /// - Returns: whether it will be brought back.
    private func want(_ market: Int) -> Bool {
        guard markets.contains(market), !isStopped else { return false }
        wanted.append(market)
        read()
        return true
    }

    /// Reads the next ones: first those for which a reader waits.
    private func read() {
        while reading.count < Self.readers, !wanted.isEmpty {
            read(wanted.remove(at: wanted.firstIndex(where: pipeline.isAwaited) ?? 0))
        }
    }

    private func read(_ market: Int) {
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        let (loop, past) = (core.loop, past)
        reading[market] = Task {
            var problem: (any Error)?
            // A full disk does not prevent reading: what cannot be written may be that of other markets.
            do { try await past.flush() } catch { problem = error }
            do { _ = try await past.load(market) } catch { problem = error }
            let words = problem.map { "\($0)" }
            loop.execute { bound.value.ended(market, problem: words) }
        }
    }

    private func ended(_ market: Int, problem: String?) {
        reading[market] = nil
        if let problem, !isStopped {
            failures += 1
            // Each review requests it again; the log need not say so for each market.
            if !isFailing {
                logger.error("stored candles cannot be read", metadata: ["feed": "\(title)", "error": "\(problem)"])
            }
        }
        isFailing = problem != nil
        if problem == nil { restorations += 1 }
        pipeline.restored(market, isWhole: problem == nil)
        release(idle([market]))
        read()
    }
}
