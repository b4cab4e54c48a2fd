import Logging
import MarketFeeds
import MarketModel
import NIOCore

/// Fetches from a venue what was missed of its markets, and puts it in its place: one request after another, by the
/// venue's limits; the minutes of all markets before hours and days. Confined to the market loop, but for the fetching.
final class HistoryJoiner {
    private let core: MarketCore
    private let fetcher: HistoryFetcher
    /// Empty where a number is kept free.
    private var symbols: [String]
    private let base: Int
    private let title: String
    private let logger: Logger
    private var plans: [MarketHistoryPlan]
    /// Of which of them it is known what is stored: before, their candles would count as missing.
    private var hasBegun: [Bool]
    /// Which of them are followed no more.
    private var isLeft: [Bool]
    private var task: Task<Void, Never>?
    private var isStopped = false
    private var timer: RepeatedTask?
    /// Bars put in place so far, and requests that failed.
    private(set) var joined = 0
    private(set) var failures = 0

    init(_ core: MarketCore, history: VenueHistory, symbols: [String], base: Int, title: String, logger: Logger) {
        self.core = core
        fetcher = HistoryFetcher(core: core, history: history)
        self.symbols = symbols
        self.base = base
        self.title = title
        self.logger = logger
        let (timeframes, now) = (history.adapter.timeframes, WallClock.now())
        plans = symbols.map { _ in MarketHistoryPlan(timeframes: timeframes, now: now) }
        hasBegun = symbols.map { _ in false }
        isLeft = symbols.map { _ in false }
    }

    func start() { timer = core.loop.runEvery(1, self) { $0.turn() } }

    /// - Returns: what is still running, and ends soon.
    func stop() -> Task<Void, Never>? {
        isStopped = true
        timer?.cancel()
        task?.cancel()
        return task
    }

    /// What is stored of a market is in memory: the rest of its past is to be fetched.
    func begin(_ market: Int, stored: [Timeframe: Double]) {
        plans[market - base].begin(stored: stored, now: WallClock.now())
        hasBegun[market - base] = true
    }

    /// A market was added, or removed.
    func setFetched(_ isFetched: Bool, _ symbol: String, _ market: Int) {
        symbols[market - base] = symbol
        isLeft[market - base] = !isFetched
    }

    func wentDown(_ market: Int) { plans[market - base].wentDown(now: WallClock.now()) }
    func cameUp(_ market: Int) { plans[market - base].cameUp(now: WallClock.now()) }
    func missed(_ market: Int, since: Double) { plans[market - base].missed(since: since, now: WallClock.now()) }

    /// Fetches the next candles that are due, unless something is being fetched.
    private func turn() {
        guard task == nil, !isStopped else { return }
        let now = WallClock.now()
        for timeframe in KnownPast.sources {
            for index in plans.indices where hasBegun[index] && !isLeft[index] {
                guard let stretch = plans[index].due(timeframe, now: now) else { continue }
                return fetch(index, timeframe, stretch)
            }
        }
    }

    private func fetch(_ index: Int, _ timeframe: Timeframe, _ stretch: Range<Double>) {
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        let (loop, fetcher, symbol, market) = (core.loop, fetcher, symbols[index], base + index)
        task = Task {
            let outcome = await fetcher.fetch(symbol, market: market, timeframe, stretch)
            loop.execute { bound.value.finish(index, timeframe, stretch, outcome) }
        }
    }

    private func finish(
        _ index: Int, _ timeframe: Timeframe, _ stretch: Range<Double>, _ outcome: HistoryFetcher.Outcome
    ) {
        task = nil
        guard !isStopped else { return }
        let words: Logger.Metadata = [
            "feed": "\(title)", "symbol": "\(symbols[index])", "timeframe": "\(timeframe.rawValue)",
        ]
        let now = WallClock.now()
        switch outcome {
        case .joined(let bars, let covered):
            plans[index].fetched(timeframe, stretch, covered: covered, now: now)
            joined += bars
            if bars > 0 { logger.info("history joined", metadata: words.merging(["bars": "\(bars)"]) { $1 }) }
        case .failed(let problem, let isRefusal):
            failures += 1
            plans[index].failed(timeframe, isRefusal: isRefusal, now: now)
            logger.warning("history missing", metadata: words.merging(["problem": "\(problem)"]) { $1 })
        }
        // What follows needs no pause of ours: the venue's pace is kept by its client.
        turn()
    }
}

/// Gets a market's past from its venue, and puts it in place. Off the market loop, but for the placing.
struct HistoryFetcher: Sendable {
    enum Outcome: Sendable {
        /// This many bars changed; of which time the venue sent everything.
        case joined(Int, covered: Range<Double>)
        /// The venue itself may refuse; else it is worth another try soon.
        case failed(String, isRefusal: Bool)
    }

    let core: MarketCore
    let history: VenueHistory

    func fetch(_ symbol: String, market: Int, _ timeframe: Timeframe, _ stretch: Range<Double>) async -> Outcome {
        do {
            let all = try await history.stretch(
                symbol: symbol, timeframe: timeframe, from: stretch.lowerBound, to: stretch.upperBound)
            // Rows without trades would move the open of what is made of them.
            let candles = all.candles.filter { !$0.isFiller }.map(\.candle)
            // Where the answer leaves open what happened, nothing coarser is made of what it has.
            let changed = try await core.read(withPastOf: market) { pipeline in
                all.known.reduce(0) { count, known in
                    count
                        + pipeline.join(
                            candles.filter { known.contains($0.timestamp) }, market: market, timeframe: timeframe,
                            covered: known, now: WallClock.now())
                }
            }
            return .joined(changed, covered: all.covered)
        } catch {
            let isRefusal = (error as? HistoryError).map { $0.kind == .refused || $0.kind == .usage } ?? false
            return .failed("\(error)", isRefusal: isRefusal)
        }
    }
}
