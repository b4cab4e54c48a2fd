import HistoryStore
import MarketModel
import NIOCore

/// Runs the simulated exchange on the market loop.
final class SimulatedFeed: Feed {
    let markets: [Market]
    let name = "sim"
    let summary: String
    private let simulated: [SimulatedMarket]
    private let seed: UInt64
    private let rate: Double
    private let runner: NIOLoopBoundBox<Runner?>

    init(symbols: [String], seed: UInt64, rate: Double, loop: any EventLoop) {
        simulated = symbols.compactMap(SimulatedMarket.named)
        markets = simulated.map(\.market)
        self.seed = seed
        self.rate = rate
        runner = NIOLoopBoundBox.makeEmptyBox(valueType: Runner.self, eventLoop: loop)
        let count = markets.count == 1 ? "1 market" : "\(markets.count) markets"
        summary = "simulated exchange, \(count), about \(rate.formatted) trades/s, seed \(seed)"
    }

    /// Makes the past, or what is missing of it since the last run, and puts it in place.
    ///
    /// When it returns, the history of all markets ends at this very moment, a whole second: live trading goes on there,
    /// and no second is missing in between.
    /// - Parameter progress: called before each market with its index and symbol.
    func prepare(_ core: MarketCore, base: Int, store: CandleStore, progress: (Int, String) -> Void) async throws {
        let memory = StoredMemory(core: core, store: store)
        for (index, market) in simulated.enumerated() {
            progress(index, market.market.symbol)
            _ = try await backfill(market, core.registry.storeName(base + index), store, until: WallClock.now())
            _ = try await memory.load(base + index)
        }
        // That lasted seconds. What is missing since then is made up to a moment soon to come, which is then waited for.
        while true {
            let opening = (WallClock.now() + 0.5).rounded(.down) + 1
            var histories: [SimulatedHistory.Result] = []
            for (index, market) in simulated.enumerated() {
                let name = core.registry.storeName(base + index)
                histories.append(try await backfill(market, name, store, until: opening))
            }
            let remaining = opening - WallClock.now()
            // A slow machine may miss the moment; the next round has less to do.
            guard remaining > 0 else { continue }
            let made = histories
            try await core.read { pipeline in
                for (index, history) in made.enumerated() {
                    for (timeframe, candles) in history.candles {
                        pipeline.place(candles, market: base + index, timeframe: timeframe)
                    }
                    for (timeframe, candle) in history.forming {
                        pipeline.markets[base + index].aggregator.seed(timeframe, with: candle)
                    }
                }
            }
            prices = histories.map(\.price)
            try await Task.sleep(for: .seconds(max(0, opening - WallClock.now())))
            return
        }
    }

    // Written by `prepare`, read by `start`, which come one after the other on the starting task.
    nonisolated(unsafe) private var prices: [Double] = []

    /// Makes and stores what is missing between the stored history and `end`.
    private func backfill(
        _ market: SimulatedMarket, _ symbol: String, _ store: CandleStore, until end: Double
    ) async throws -> SimulatedHistory.Result {
        let history = SimulatedHistory.make(
            for: market, past: try await StoredPast(symbol: symbol, store: store).read(), now: end, seed: seed,
            tradesPerSecond: SimulatedExchange.tradesPerSecond(of: market, among: simulated, rate: rate))
        // Seconds last: where there are seconds in the store, the rest is there too.
        for (timeframe, candles) in history.candles.reversed() where !candles.isEmpty {
            _ = try await store.importCandles(candles, symbol: symbol, timeframe: timeframe)
        }
        return history
    }

    func start(_ core: MarketCore, base: Int, store: CandleStore) {
        let prices = prices.isEmpty ? simulated.map(\.price) : prices
        let exchange = SimulatedExchange(markets: simulated, prices: prices, seed: seed, rate: rate)
        core.loop.execute { [runner] in
            let made = Runner(exchange: exchange, core: core, base: base)
            runner.value = made
            made.turn()
        }
    }

    func status(_ core: MarketCore) async throws -> FeedStatus {
        try await core.loop.submit { [runner] in
            FeedStatus(
                name: "sim", state: runner.value?.isOn == false ? "off" : "live",
                figures: [("trades", runner.value?.trades ?? 0), ("skipped_trades", runner.value?.skippedTrades ?? 0)])
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

        init(exchange: SimulatedExchange, core: MarketCore, base: Int) {
            self.exchange = exchange
            self.core = core
            self.base = base
            startedAt = core.clock()
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
