import HistoryStore
import Logging
import MarketFeeds
import MarketModel
import NIOCore
import StreamCore

/// Follows markets of a venue: as many connections as the venue's limits make of them, all on the market loop, so that a
/// message becomes candles without a hop.
final class LiveFeed: Feed {
    let name: String
    let summary: String
    let markets: [Market]
    /// Makes the connections, on the market loop.
    private let begin: @Sendable (_ core: MarketCore, _ base: Int, _ store: CandleStore) -> Runner
    private let runner: NIOLoopBoundBox<Runner?>

    /// - Parameters:
    ///   - url: instead of the venue's own address, for REST too.
    ///   - credentials: for venues that want a key.
    ///   - fetchesHistory: whether what was missed is fetched from the venue.
    ///   - pausesAfter: seconds after which a market without watchers is not followed any more; `nil`: never.
    ///   - evictsAfter: seconds after which the past of a market that neither trades nor is read leaves the memory; `nil`: never.
    /// - Throws: `FeedError` where the address is none, or a key is wanted and not there.
    init(
        _ adapter: any FeedAdapter, symbols: [String], url: String?,
        credentials: FeedCredentials? = nil, fetchesHistory: Bool, pausesAfter: Double? = nil,
        evictsAfter: Double? = nil, loop: any EventLoop, logger: Logger
    ) throws {
        let token = try FeedTokenSource.fetcher(adapter, credentials, url: url)
        let history = fetchesHistory ? try Self.history(adapter, url, credentials) : nil
        let reference = fetchesHistory ? try Self.reference(adapter, url, credentials) : nil
        name = adapter.name
        // How many decimals a market's prices have shows as they come.
        markets = symbols.map { symbol in
            var market = Market(symbol: symbol, precision: adapter.priceDecimals)
            // Without one no account could be opened.
            if market.quoteCurrency.isEmpty { market.quoteCurrency = adapter.quoteCurrency }
            return market
        }
        let shown =
            symbols.prefix(3).joined(separator: ", ") + (symbols.count > 3 ? " and \(symbols.count - 3) more" : "")
        summary = "\(adapter.title), \(shown)" + (url.map { " at \(FeedAddress.shown($0))" } ?? "")
        runner = NIOLoopBoundBox.makeEmptyBox(valueType: Runner.self, eventLoop: loop)
        begin = { core, base, store in
            let joiner = history.map {
                HistoryJoiner(core, history: $0, symbols: symbols, base: base, title: adapter.title, logger: logger)
            }
            let intake = CandleIntake(
                core.onLoop.pipeline, base: base, count: symbols.count,
                // Of the others trades are requested.
                use: adapter.venue == .provider ? .inPlaceOfTrades : .besideTrades)
            var options = FeedConnection.Options()
            options.token = token
            let made = Runner(core, joiner: joiner, intake: intake, title: adapter.title, logger: logger)
            let size = adapter.limits.symbolsPerConnection
            for start in stride(from: 0, to: symbols.count, by: size) {
                var session = FeedSession(
                    adapter, symbols: Array(symbols[start..<min(start + size, symbols.count)]), url: url,
                    seed: UInt64.random(in: .min ... .max))
                session.closesUnwanted = pausesAfter != nil
                made.add(FeedConnection(session, on: core.loop, options: options), firstMarket: base + start)
            }
            let memory = StoredMemory(core: core, store: store)
            made.load(base..<base + symbols.count, from: memory)
            joiner?.start()
            made.sessionPrices = reference.map {
                SessionPrices(
                    core: core, reference: $0, symbols: symbols, base: base, title: adapter.title, logger: logger
                ).start()
            }
            if let pausesAfter { made.pauseUnwatched(after: pausesAfter) }
            if let evictsAfter {
                let eviction = IdleEviction(
                    core, base..<base + symbols.count, after: evictsAfter, to: memory, clock: core.clock,
                    title: adapter.title, logger: logger, isLoading: intake.isHolding)
                made.eviction = eviction
                eviction.start()
            }
            return made
        }
    }

    private static func history(
        _ adapter: any FeedAdapter, _ url: String?, _ credentials: FeedCredentials?
    ) throws(FeedError) -> VenueHistory? {
        guard let rest = adapter.history else { return nil }
        let base = url.map(FeedAddress.rest)
        do {
            let headers = adapter.historyHeaders + (credentials.map(rest.headers) ?? [])
            return try VenueHistory(rest, base: base, headers: headers)
        } catch { throw FeedError(.usage, error.description) }
    }

    private static func reference(
        _ adapter: any FeedAdapter, _ url: String?, _ credentials: FeedCredentials?
    ) throws(FeedError) -> IntrinioReference? {
        guard adapter.searchesMarkets, let credentials else { return nil }
        do { return try IntrinioReference(credentials: credentials, base: url.map(FeedAddress.rest)) } catch {
            throw FeedError(.usage, error.description)
        }
    }

    func start(_ core: MarketCore, base: Int, store: CandleStore) {
        core.loop.execute { [runner, begin] in runner.value = begin(core, base, store) }
    }

    func stop() -> [Task<Void, Never>] {
        defer { runner.value = nil }
        return runner.value?.stop() ?? []
    }

    func status(_ core: MarketCore) async throws -> FeedStatus {
        try await core.loop.submit { [runner, name] in
            runner.value?.status(name) ?? FeedStatus(name: name, state: "ended", figures: [])
        }.get()
    }

    /// Receives what the connections deliver.
    final class Runner: FeedConnection.Receiver {
        let core: MarketCore
        let pipeline: MarketPipeline
        private let joiner: HistoryJoiner?
        private let intake: CandleIntake
        let title: String
        let logger: Logger
        struct Link {
            var connection: FeedConnection
            var firstMarket: Int
            /// It was open, and its loss has not been reported.
            var isUp = false
        }

        var connections: [Link] = []
        private var problem: String?
        private var outages = 0
        private var loading: FirstLoading?
        /// By market: the last trade before those that the message being handled shows to be missing.
        private var missedSince: [Int: Double] = [:]
        var pauses: PauseWatch?
        var pauseTimer: RepeatedTask?
        fileprivate var eviction: IdleEviction?
        fileprivate var sessionPrices: Task<Void, Never>?

        init(_ core: MarketCore, joiner: HistoryJoiner?, intake: CandleIntake, title: String, logger: Logger) {
            self.core = core
            pipeline = core.onLoop.pipeline
            self.joiner = joiner
            self.intake = intake
            self.title = title
            self.logger = logger
        }

        func add(_ connection: FeedConnection, firstMarket: Int) {
            connections.append(Link(connection: connection, firstMarket: firstMarket))
            for index in connection.session.symbols.indices {
                pipeline.setFeed(.connecting, ofMarket: firstMarket + index)
            }
            connection.receiver = self
            connection.connect()
        }

        /// Puts what is stored into memory.
        func load(_ markets: Range<Int>, from memory: StoredMemory) {
            for market in markets { intake.hold(market) }
            let loading = FirstLoading(core, from: memory, title: title, logger: logger)
            self.loading = loading
            loading.start(markets) { [intake, joiner] market, stored in
                intake.loaded(market, now: WallClock.now())
                joiner?.begin(market, stored: stored)
            }
        }

        func stop() -> [Task<Void, Never>] {
            pauseTimer?.cancel()
            let fetching = joiner?.stop()
            for link in connections { link.connection.stop() }
            sessionPrices?.cancel()
            return [loading?.stop(), fetching, sessionPrices].compactMap { $0 } + (eviction?.stop() ?? [])
        }

        func feed(_ connection: FeedConnection, received kind: VenueMessageKind) {
            if !connection.session.venueSession.holes.isEmpty { noteHoles(connection) }
            switch kind {
            // A ticker may be the first report of a trade.
            case .trades, .candles, .quotes:
                acceptPrices(connection)
                // In a message of many there may be others.
                noteType(connection)
            case .other: noteType(connection)
            case .book, .heartbeat, .acknowledgement, .refusal, .status, .malformed: break
            }
        }

        private func acceptPrices(_ connection: FeedConnection) {
            guard let first = firstMarket(connection) else { return }
            let now = WallClock.now()
            for trade in connection.session.venueSession.trades where connection.session.isWanted(trade.market) {
                intake.traded(first + trade.market)
                pipeline.noteDecimals(trade.priceDecimals, ofMarket: first + trade.market)
                pipeline.ingest(market: first + trade.market, trade.tick, now: now)
            }
            for quote in connection.session.venueSession.quotes where connection.session.isWanted(quote.market) {
                pipeline.apply(quote, market: first + quote.market, now: now)
            }
            guard
                !connection.session.venueSession.candles.isEmpty || !connection.session.venueSession.openCandles.isEmpty
            else {
                return
            }
            let decoder = connection.session.venueSession
            intake.accept(closed: decoder.candles, open: decoder.openCandles, now: now) { symbol in
                decoder.symbols.find(symbol).flatMap { connection.session.isWanted($0) ? first + $0 : nil }
            }
        }

        /// A provider's messages of types that its configuration does not name: each type once.
        private func noteType(_ connection: FeedConnection) {
            guard let type = connection.session.venueSession.newType else { return }
            logger.notice(
                "messages of an unknown type are left out", metadata: ["feed": "\(title)", "type": "\(type)"])
        }

        func feed(_ connection: FeedConnection, event: FeedEvent) {
            let now = WallClock.now()
            switch event {
            case .state(.open):
                problem = nil
                note(connection, isUp: true)
                logger.notice("feed connected", metadata: ["feed": "\(title)"])
            case .state(.waiting):
                note(connection, isUp: false)
                logger.warning("feed lost", metadata: ["feed": "\(title)", "problem": "\(problem ?? "none known")"])
            case .state(.failed(let failure)):
                problem = "\(title) refuses the connection (\(failure.words)); retrying every minute."
                note(connection, isUp: false)
                for index in 0..<connection.session.symbolCount where connection.session.isWanted(index) {
                    guard let first = firstMarket(connection) else { break }
                    pipeline.setFeed(.refused(problem ?? ""), ofMarket: first + index)
                }
                logger.error("feed failed", metadata: ["feed": "\(title)", "problem": "\(problem ?? "")"])
            // Closed by ourselves.
            case .state(.closed): note(connection, isUp: false, isOutage: false)
            case .state: break
            case .live(let symbol):
                guard let market = market(connection, symbol) else { return }
                pipeline.setFeed(.live, ofMarket: market)
                pipeline.feedCameUp(market, at: now)
                joiner?.cameUp(market)
            case .interrupted(let symbol):
                guard let market = market(connection, symbol) else { return }
                pipeline.setFeed(.interrupted, ofMarket: market)
                pipeline.feedWentDown(market, lossesFrom: now - HistoryPlan.unnoticed)
                joiner?.wentDown(market)
            case .refused(let symbol, let reason):
                guard let market = market(connection, symbol) else { return }
                pipeline.setFeed(.refused(reason), ofMarket: market)
                logger.error(
                    "symbol refused", metadata: ["feed": "\(title)", "symbol": "\(symbol)", "reason": "\(reason)"])
            case .unanswered(let symbol):
                guard let market = market(connection, symbol) else { return }
                let reason = problem.map { " (\($0))" } ?? ""
                pipeline.setFeed(
                    .refused("\(title) does not provide this market at the moment\(reason); retrying."),
                    ofMarket: market)
            case .missed(let symbol, let count):
                guard let market = wantedMarket(connection, symbol) else { return }
                let since = missedSince[market] ?? now
                pipeline.feedMissed(market, since: since, now: now)
                joiner?.missed(market, since: since)
                logger.warning(
                    "trades missed", metadata: ["feed": "\(title)", "symbol": "\(symbol)", "count": "\(count)"])
            case .unavailable(let reason): problem = reason
            case .problem(let what):
                problem = what.words
                if case .server("not_understood", let message) = what {
                    logger.error("feed not understood", metadata: ["feed": "\(title)", "problem": "\(message)"])
                }
            }
        }

        /// What went wrong, and that it is tried more slowly now.
        static func sentence(_ problem: String?, isSlow: Bool) -> String? {
            guard isSlow else { return problem }
            return (problem.map { $0 + ($0.hasSuffix(".") ? " " : ". ") } ?? "")
                + "Reconnecting failed ten times; now retrying once a minute."
        }

        /// An outage is counted once, however many attempts its end needs.
        private func note(_ connection: FeedConnection, isUp: Bool, isOutage: Bool = true) {
            guard let index = connections.firstIndex(where: { $0.connection === connection }) else { return }
            if connections[index].isUp, !isUp, isOutage { outages += 1 }
            connections[index].isUp = isUp
        }

        /// Before the message's trades are accepted: what is missing lies behind the last one seen.
        private func noteHoles(_ connection: FeedConnection) {
            missedSince.removeAll(keepingCapacity: true)
            for hole in connection.session.venueSession.holes {
                guard let market = wantedMarket(connection, hole.symbol) else { continue }
                missedSince[market] = pipeline.markets[market].lastTick?.timestamp
            }
        }

        private func firstMarket(_ connection: FeedConnection) -> Int? {
            connections.first { $0.connection === connection }?.firstMarket
        }

        /// `nil` also where it is not wanted: what is missing of a paused market is fetched when it goes on.
        private func wantedMarket(_ connection: FeedConnection, _ symbol: String) -> Int? {
            guard let market = market(connection, symbol), let first = firstMarket(connection),
                connection.session.isWanted(market - first)
            else { return nil }
            return market
        }

        private func market(_ connection: FeedConnection, _ symbol: String) -> Int? {
            guard let first = firstMarket(connection), let index = connection.session.symbols.firstIndex(of: symbol)
            else { return nil }
            return first + index
        }

        func status(_ name: String) -> FeedStatus {
            let counts = connections.map { $0.connection.session.venueSession.counts }
            func sum(_ count: (VenueSession.Counts) -> Int) -> Int { counts.reduce(0) { $0 + count($1) } }
            var reconnects = ReconnectCounts()
            for link in connections { reconnects.add(link.connection.session.reconnects) }
            // Those of which nothing is wanted are closed.
            let used = connections.filter { !$0.connection.session.isResting }
            let states = used.map { $0.connection.session.state }
            let state =
                if used.isEmpty {
                    "paused"
                } else if used.contains(where: { $0.connection.session.outage != nil }) {
                    "unavailable"
                } else if states.allSatisfy({ $0 == .open }) {
                    "live"
                } else if states.contains(where: { if case .failed = $0 { true } else { false } }) {
                    "failed"
                } else {
                    outages == 0 ? "connecting" : "reconnecting"
                }
            return FeedStatus(
                name: name, state: state,
                problem: state == "live" || state == "paused"
                    ? loading?.problem
                    : Self.sentence(problem, isSlow: used.contains { $0.connection.session.isSlowRetry })
                        ?? loading?.problem,
                figures: [
                    ("connections", connections.count), ("outages", outages),
                    ("reconnect_attempts", reconnects.attempts), ("reconnects", reconnects.returns),
                    ("messages", sum(\.messages)), ("trades", sum(\.trades)), ("duplicates", sum(\.duplicates)),
                    ("malformed", sum(\.malformed)), ("missing", sum(\.missing)), ("renumberings", sum(\.renumberings)),
                    ("venue_candles", intake.check.compared), ("candle_differences", intake.check.differing),
                    ("joined_bars", joiner?.joined ?? 0),
                    ("history_failures", joiner?.failures ?? 0), ("unloaded_markets", loading?.missing.count ?? 0),
                    ("load_failures", loading?.failures ?? 0), ("idle_markets", eviction?.idleCount ?? 0),
                    ("evictions", eviction?.evictions ?? 0), ("restorations", eviction?.restorations ?? 0),
                    ("restoration_failures", eviction?.failures ?? 0), ("dropped_candles", intake.dropped),
                ] + VenueFlaw.allCases.map { flaw in (flaw.name, sum { $0.flaws[flaw] }) } + providerFigures)
        }

        /// What is counted of a configured provider's messages. Empty of venues with an adapter of their own; values that were
        /// never missing are left out.
        private var providerFigures: [(name: String, value: Int)] {
            let counts = connections.compactMap { $0.connection.session.venueSession.providerCounts }
            guard !counts.isEmpty else { return [] }
            func sum(_ count: (ProviderCounts) -> Int) -> Int { counts.reduce(0) { $0 + count($1) } }
            let missing = ProviderField.allCases.map { field in
                (name: "missing_\(field.word)", value: sum { $0.missing[field] })
            }
            return [("unknown_types", sum(\.unknownTypes)), ("other_symbols", sum(\.otherSymbols))]
                + missing.filter { $0.value > 0 }
        }
    }
}
