import HistoryStore
import MarketModel
import NIOCore
import Synchronization

/// Runs the simulated exchange on the market loop.
final class SimulatedFeed: Feed {
    let markets: [Market]
    let name = "sim"
    let summary: String
    private let simulated: [SimulatedMarket]
    private let seed: UInt64
    private let rate: Double
    private let runner: NIOLoopBoundBox<Runner?>
    private let importing = Mutex<Importing?>(nil)

    /// What stores the made histories.
    private struct Importing: Sendable {
        var imports: HistoryImports
        var task: Task<Void, Never>
    }

    init(symbols: [String], seed: UInt64, rate: Double, loop: any EventLoop) {
        simulated = symbols.compactMap(SimulatedMarket.named)
        markets = simulated.map(\.market)
        self.seed = seed
        self.rate = rate
        runner = NIOLoopBoundBox.makeEmptyBox(valueType: Runner.self, eventLoop: loop)
        let count = markets.count == 1 ? "1 market" : "\(markets.count) markets"
        summary = "simulated exchange, \(count), about \(rate.formatted) trades/s, seed \(seed)"
    }

    /// Makes the past, or what is missing of it since the last run, and puts it in place. `start` stores it.
    ///
    /// The history of all markets ends at the moment when `start` begins to trade, a whole second at most one and a half
    /// away when this returns: no second is missing in between.
    /// - Parameter progress: called when the history of a market that had none is made, with the number of those before and its symbol.
    func prepare(
        _ core: MarketCore, base: Int, store: CandleStore, imports: HistoryImports, progress: (Int, String) -> Void
    ) async throws {
        var histories = try await makeHistories(core, base, store, progress)
        // That took its time. What is missing since then is made up to a moment soon to come.
        var opening = 0.0
        repeat {
            opening = (WallClock.now() + 0.5).rounded(.down) + 1
            for index in histories.indices { histories[index].goOn(until: opening) { make(index, $0, until: $1) } }
            // A slow machine may miss the moment; the next round has less to do.
        } while WallClock.now() >= opening
        let made = histories
        try await core.read { pipeline in
            for (index, history) in made.enumerated() {
                for (timeframe, candles) in history.result.candles {
                    pipeline.place(candles.suffix(MarketState.memory), market: base + index, timeframe: timeframe)
                }
                for (timeframe, candle) in history.result.forming {
                    pipeline.markets[base + index].aggregator.seed(timeframe, with: candle)
                }
                if !history.isMade, history.past != nil { pipeline.markets[base + index].awaitsPast = true }
            }
        }
        for index in histories.indices where histories[index].isMade {
            imports.begin(core.registry.storeName(base + index))
        }
        prepared = Prepared(histories: histories, opening: opening, imports: imports)
    }

    /// A market's history in the making.
    private struct History: Sendable {
        /// What `result` went on from.
        var past: SimulatedHistory.Past?
        var result: SimulatedHistory.Result
        /// Otherwise the market has only candles that it traded, which the store has.
        var isMade = true

        mutating func goOn(
            until end: Double, _ make: (SimulatedHistory.Past?, Double) -> SimulatedHistory.Result
        ) {
            guard isMade else { return }
            let known = result.past(after: past)
            result.append(make(known, end))
        }
    }

    /// What `start` goes on from.
    private struct Prepared {
        var histories: [History]
        /// When trading begins.
        var opening: Double
        var imports: HistoryImports
    }

    // Written by `prepare`, read by `start`, which come one after the other on the starting task.
    nonisolated(unsafe) private var prepared: Prepared?

    /// All markets at once, as many as there are processors.
    private func makeHistories(
        _ core: MarketCore, _ base: Int, _ store: CandleStore, _ progress: (Int, String) -> Void
    ) async throws -> [History] {
        let memory = StoredMemory(core: core, store: store)
        return try await withThrowingTaskGroup(of: (Int, History).self) { group in
            for index in simulated.indices {
                group.addTask { [self] in
                    let name = core.registry.storeName(base + index)
                    guard simulated[index].hasHistory else {
                        return (index, try await noHistory(index, name, store))
                    }
                    let past = try await StoredPast(symbol: name, store: store).read()
                    if past != nil { _ = try await memory.load(base + index) }
                    return (index, History(past: past, result: make(index, past, until: WallClock.now())))
                }
            }
            var made: [History?] = simulated.map { _ in nil }
            for try await (index, history) in group {
                made[index] = history
                // The last hours of a stored one are made in no time.
                if history.past == nil, history.isMade {
                    progress(made.count { $0 != nil } - 1, simulated[index].market.symbol)
                }
            }
            return made.compactMap(\.self)
        }
    }

    /// A market that trades on at its last price.
    private func noHistory(_ index: Int, _ name: String, _ store: CandleStore) async throws -> History {
        let last = try await store.candles(symbol: name, timeframe: .s1, limit: 1).last
        let past = last.map { SimulatedHistory.Past(candles: [], end: $0.timestamp, price: $0.close) }
        let result = SimulatedHistory.none(price: last?.close ?? simulated[index].price, end: WallClock.now())
        return History(past: past, result: result, isMade: false)
    }

    /// Makes what is missing between the past and `end`.
    private func make(_ index: Int, _ past: SimulatedHistory.Past?, until end: Double) -> SimulatedHistory.Result {
        let market = simulated[index]
        return SimulatedHistory.make(
            for: market, past: past, now: end, seed: seed,
            tradesPerSecond: SimulatedExchange.tradesPerSecond(of: market, among: simulated, rate: rate))
    }

    func start(_ core: MarketCore, base: Int, store: CandleStore) {
        let prices = prepared?.histories.map(\.result.price) ?? simulated.map(\.price)
        let exchange = SimulatedExchange(markets: simulated, prices: prices, seed: seed, rate: rate)
        if let prepared {
            let histories = prepared.histories.enumerated().filter { $0.element.isMade }.map {
                (core.registry.storeName(base + $0), $1.result)
            }
            let imports = prepared.imports
            importing.withLock { $0 = Importing(imports: imports, task: Task { await imports.run(histories) }) }
        }
        let wait = max(0, (prepared?.opening ?? 0) - WallClock.now())
        prepared = nil
        core.loop.execute { [runner] in
            let made = Runner(exchange: exchange, core: core, base: base, wait: wait)
            runner.value = made
            core.loop.run(after: wait) { made.turn() }
        }
    }

    func stop() -> [Task<Void, Never>] {
        guard let importing = importing.withLock({ $0 }) else { return [] }
        importing.task.cancel()
        importing.imports.cancel()
        return [importing.task]
    }

    func status(_ core: MarketCore) async throws -> FeedStatus {
        let imports = importing.withLock { $0?.imports }
        return try await core.loop.submit { [runner] in
            FeedStatus(
                name: "sim", state: runner.value?.isOn == false ? "off" : "live", problem: imports?.problem,
                figures: [
                    ("trades", runner.value?.trades ?? 0), ("skipped_trades", runner.value?.skippedTrades ?? 0),
                    ("unstored_markets", imports?.count ?? 0),
                ])
        }.get()
    }

    /// On the market loop.
    var isOn: Bool { runner.value?.isOn ?? false }

    func setOn(_ isOn: Bool, _ core: MarketCore) -> Bool {
        guard let runner = runner.value, runner.isOn != isOn else { return false }
        runner.setOn(isOn, markets: markets.count)
        return true
    }

    /// Trades what is due, then sleeps until the next trade is.
    private final class Runner {
        private var exchange: SimulatedExchange
        private let core: MarketCore
        private let base: Int
        private let startedAt: Double
        private(set) var trades = 0
        /// Trades given up, by the average rate, because the machine could not carry it.
        private(set) var skippedTrades = 0
        private(set) var isOn = true

        /// Trades handled before the loop gets to do something else.
        private static let turnLimit = 512
        /// Seconds between two looks while it is off.
        private static let pause = 0.25
        /// The shortest sleep: at high rates many trades share a turn.
        private static let shortestSleep = 0.0002
        /// Further behind than this, the rate is more than the machine can carry.
        private static let backlogLimit = 0.25

        /// - Parameter wait: seconds until trading begins.
        init(exchange: SimulatedExchange, core: MarketCore, base: Int, wait: Double) {
            self.exchange = exchange
            self.core = core
            self.base = base
            startedAt = core.clock() + wait
        }

        func setOn(_ isOn: Bool, markets: Int) {
            self.isOn = isOn
            let (pipeline, now) = (core.onLoop.pipeline, WallClock.now())
            for market in base..<base + markets {
                pipeline.setFeed(isOn ? .live : .off, ofMarket: market)
                if isOn { pipeline.feedCameUp(market, at: now) } else { pipeline.feedWentDown(market, lossesFrom: now) }
            }
        }

        func turn() {
            let pipeline = core.onLoop.pipeline
            var elapsed = core.clock() - startedAt
            var count = 0
            // What would have been traded meanwhile is not made up for.
            guard isOn else {
                exchange.skip(to: elapsed)
                return core.loop.run(after: Self.pause) { self.turn() }
            }
            while exchange.nextDue <= elapsed, count < Self.turnLimit {
                let now = WallClock.now()
                let trade = exchange.trade(timestamp: now)
                pipeline.ingest(market: base + trade.market, trade.tick, now: now)
                count += 1
            }
            trades += count
            elapsed = core.clock() - startedAt
            if elapsed - exchange.nextDue > Self.backlogLimit {
                skippedTrades += Int((elapsed - exchange.nextDue) * exchange.rate)
                exchange.skip(to: elapsed)
            }
            let delay = exchange.nextDue - elapsed
            let sleep = delay <= 0 ? 0 : max(delay, Self.shortestSleep)
            core.loop.run(after: sleep) { self.turn() }
        }
    }
}

extension Double {
    /// Without decimals where there are none.
    fileprivate var formatted: String { rounded() == self && magnitude < 1e15 ? String(Int(self)) : String(self) }
}
