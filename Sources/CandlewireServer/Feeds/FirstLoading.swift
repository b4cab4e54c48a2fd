import Logging
import MarketModel
import NIOCore
import StreamCore

/// Puts the stored past of a feed's markets into memory when the feed begins: one market after another, and those that
/// cannot be read again and again, with pauses that grow.
///
/// Trades go their way meanwhile; only what needs the past waits. Confined to the market loop, but for the reading.
final class FirstLoading {
    /// Seconds before the next attempt.
    static let pauses = Backoff.Configuration(first: 1, cap: 60)

    private typealias Outcome = Result<[Timeframe: Double], any Error>

    private let core: MarketCore
    private let past: any MarketPast
    private let clock: any Clock<Duration>
    private let title: String
    private let logger: Logger
    private var task: Task<Void, Never>?
    private var onLoaded: ((_ market: Int, _ stored: [Timeframe: Double]) -> Void)?
    /// Markets whose past could not be read, and is requested again.
    private(set) var missing: Set<Int> = []
    /// Attempts that failed, of one market each.
    private(set) var failures = 0

    /// - Parameter clock: for the pauses.
    init(
        _ core: MarketCore, from past: any MarketPast, title: String, logger: Logger,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.core = core
        self.past = past
        self.clock = clock
        self.title = title
        self.logger = logger
    }

    /// - Parameter onLoaded: called for each market whose past is there, with the start of the newest stored candle of each
    ///   timeframe.
    func start(
        _ markets: some Sequence<Int>, onLoaded: @escaping (_ market: Int, _ stored: [Timeframe: Double]) -> Void
    ) {
        let markets = Array(markets)
        self.onLoaded = onLoaded
        for market in markets { core.onLoop.pipeline.markets[market].awaitsPast = true }
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        let (loop, past, clock) = (core.loop, past, clock)
        task = Task {
            await FirstLoading.load(markets, from: past, clock: clock) { market, outcome in
                loop.execute { bound.value.ended(market, outcome) }
            }
        }
    }

    /// Reads until everything is read.
    private static func load(
        _ markets: [Int], from past: any MarketPast, clock: any Clock<Duration>,
        report: @Sendable (Int, Outcome) -> Void
    ) async {
        var (left, rounds) = (markets, 0)
        while !left.isEmpty {
            var failed: [Int] = []
            for market in left {
                let outcome = await Outcome.of { try await past.load(market) }
                if case .failure = outcome { failed.append(market) }
                report(market, outcome)
                guard !Task.isCancelled else { return }
            }
            left = failed
            rounds += 1
            guard !left.isEmpty, (try? await clock.sleep(for: .seconds(pauses.wait(before: rounds)))) != nil
            else { return }
        }
    }

    /// - Returns: what is still at work, and ends soon.
    func stop() -> Task<Void, Never>? {
        task?.cancel()
        return task
    }

    /// What is wrong, in a sentence.
    var problem: String? {
        switch missing.count {
        case 0: nil
        case 1: "The stored candles of one market cannot be read; retrying."
        default: "The stored candles of \(missing.count) markets cannot be read; retrying."
        }
    }

    private func ended(_ market: Int, _ outcome: Outcome) {
        switch outcome {
        case .success(let stored):
            core.onLoop.pipeline.markets[market].awaitsPast = false
            onLoaded?(market, stored)
            guard missing.remove(market) != nil else { return }
            // Readers that came meanwhile were shown what there was.
            core.onLoop.pipeline.restartStreams(market)
            if missing.isEmpty { logger.notice("stored candles are read", metadata: ["feed": "\(title)"]) }
        case .failure(let problem):
            guard task?.isCancelled == false else { return }
            // The log need not say so for each market, and each time.
            if missing.isEmpty {
                logger.error("stored candles cannot be read", metadata: ["feed": "\(title)", "error": "\(problem)"])
            }
            missing.insert(market)
            failures += 1
        }
    }
}
