import HistoryStore
import Logging
import MarketFeeds
import MarketModel
import NIOCore

/// Fetches from a venue what was missed of its markets, and puts it in its place: one request after another, by the
/// venue's limits. Confined to the market loop, but for the fetching.
final class HistoryJoiner {
    private let core: MarketCore
    private let fetcher: HistoryFetcher
    private let symbols: [String]
    private let base: Int
    private let title: String
    private let logger: Logger
    private var plans: [HistoryPlan]
    private var task: Task<Void, Never>?
    private var isStopped = false
    private var timer: RepeatedTask?
    /// Bars put in place so far, and requests that failed.
    private(set) var joined = 0
    private(set) var failures = 0

    init(
        _ core: MarketCore, history: VenueHistory, store: CandleStore, symbols: [String], base: Int, title: String,
        logger: Logger
    ) {
        self.core = core
        fetcher = HistoryFetcher(core: core, history: history, store: store)
        self.symbols = symbols
        self.base = base
        self.title = title
        self.logger = logger
        // Nothing is seen before the first connection, however long that takes.
        plans = symbols.map { _ in
            var plan = HistoryPlan()
            plan.wentDown(now: WallClock.now())
            return plan
        }
    }

    /// Puts what is stored into memory, fetches the days and hours before it, and goes on with the minutes.
    func start() {
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        timer = core.loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            bound.value.turn()
        }
        let (loop, fetcher, symbols, base) = (core.loop, fetcher, symbols, base)
        task = Task {
            for index in symbols.indices {
                let stored = await fetcher.prepare(symbols[index], market: base + index)
                loop.execute { bound.value.begin(index, from: stored) }
            }
            loop.execute { bound.value.task = nil }
        }
    }

    func stop() {
        isStopped = true
        timer?.cancel()
        task?.cancel()
    }

    func wentDown(_ market: Int) { plans[market - base].wentDown(now: WallClock.now()) }
    func cameUp(_ market: Int) { plans[market - base].cameUp(now: WallClock.now()) }
    func missed(_ market: Int) { plans[market - base].missed(now: WallClock.now()) }

    private func begin(_ index: Int, from stored: Double?) {
        let now = WallClock.now()
        plans[index].begin(from: max(stored ?? 0, now - HistoryFetcher.minutes * 60), now: now)
    }

    /// Fetches the next minutes that are due, unless something is being fetched.
    private func turn() {
        guard task == nil, !isStopped else { return }
        let now = WallClock.now()
        guard let index = plans.indices.first(where: { plans[$0].due(now: now) != nil }),
            let stretch = plans[index].due(now: now)
        else { return }
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        let (loop, fetcher, symbol, market) = (core.loop, fetcher, symbols[index], base + index)
        task = Task {
            let result = await fetcher.attempt(symbol, market: market, stretch)
            loop.execute { bound.value.fetched(index, stretch, result) }
        }
    }

    private func fetched(_ index: Int, _ stretch: Range<Double>, _ result: HistoryFetcher.Outcome) {
        task = nil
        guard !isStopped else { return }
        let words: Logger.Metadata = ["feed": "\(title)", "symbol": "\(symbols[index])"]
        switch result {
        case .joined(let bars):
            plans[index].fetched(stretch)
            joined += bars
            if bars > 0 { logger.info("history joined", metadata: words.merging(["bars": "\(bars)"]) { $1 }) }
        case .failed(let problem, let isFinal):
            failures += 1
            if isFinal { plans[index].giveUp() } else { plans[index].failed(now: WallClock.now()) }
            logger.warning("history missing", metadata: words.merging(["problem": "\(problem)"]) { $1 })
        }
    }
}
