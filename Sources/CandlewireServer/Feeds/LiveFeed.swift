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
    let room: Int
    /// How many markets may be added, those included that were added before.
    let mostAdded: Int
    /// The symbols that it has without being added.
    let configured: Set<String>
    let removed: Set<String>
    let titles: [String: String]
    let adapter: any FeedAdapter
    /// Where it is reached, without anything secret.
    let address: String
    /// The venue's list of markets; `nil`: none can be had.
    let directory: MarketDirectory?
    /// Makes the connections, on the market loop.
    private let begin: @Sendable (_ core: MarketCore, _ base: Int, _ store: CandleStore) -> Runner
    let runner: NIOLoopBoundBox<Runner?>

    /// - Parameters:
    ///   - url: instead of the venue's own address, for REST too.
    ///   - credentials: for venues that want a key.
    ///   - fetchesHistory: whether what was missed is fetched from the venue.
    ///   - pausesAfter: seconds after which a market without watchers is not followed any more; `nil`: never.
    ///   - evictsAfter: seconds after which the past of a market that neither trades nor is read leaves the memory; `nil`: never.
    ///   - added: markets that were added while a server ran before.
    ///   - mostAdded: how many markets may be added, those included.
    /// - Throws: `FeedError` where the address is none, or a key is wanted and not there.
    init(
        _ adapter: any FeedAdapter, symbols: [String], url: String?,
        credentials: FeedCredentials? = nil, fetchesHistory: Bool, pausesAfter: Double? = nil,
        evictsAfter: Double? = nil, added: [AddedMarket] = [], mostAdded: Int = 0, loop: any EventLoop, logger: Logger
    ) throws {
        let token = try FeedTokenSource.fetcher(adapter, credentials, url: url)
        let history = fetchesHistory ? try Self.history(adapter, url, credentials) : nil
        let reference = fetchesHistory ? try Self.reference(adapter, url, credentials) : nil
        do { directory = try MarketDirectory(adapter, url: url, credentials: credentials) } catch {
            throw FeedError(.usage, error.description)
        }
        self.adapter = adapter
        self.mostAdded = mostAdded
        configured = Set(symbols)
        address = FeedAddress.shown(url ?? adapter.endpoint)
        name = adapter.name
        let others = added.filter { !symbols.contains($0.symbol) }
        let known = symbols + others.map(\.symbol)
        removed = Set(others.filter(\.isRemoved).map(\.symbol))
        titles = Dictionary(
            added.compactMap { market in market.title.map { (market.symbol, $0) } }, uniquingKeysWith: { $1 })
        room = max(0, mostAdded - others.count)
        markets = known.map { Self.market($0, of: adapter) }
        let shown =
            symbols.prefix(3).joined(separator: ", ") + (symbols.count > 3 ? " and \(symbols.count - 3) more" : "")
        summary = "\(adapter.title), \(shown)" + (url.map { " at \(FeedAddress.shown($0))" } ?? "")
        runner = NIOLoopBoundBox.makeEmptyBox(valueType: Runner.self, eventLoop: loop)
        let followed = known.indices.filter { [removed] in !removed.contains(known[$0]) }
        begin = { [room] core, base, store in
            let numbers = base..<base + known.count + room
            let joiner = history.map {
                HistoryJoiner(
                    core, history: $0, symbols: known + Array(repeating: "", count: room), base: base,
                    title: adapter.title, logger: logger)
            }
            let intake = CandleIntake(
                core.onLoop.pipeline, base: base, count: numbers.count,
                // Of the others trades are requested.
                use: adapter.venue == .provider ? .inPlaceOfTrades : .besideTrades)
            var options = FeedConnection.Options()
            options.token = token
            let memory = StoredMemory(core: core, store: store)
            let made = Runner(
                core, numbers, memory: memory, joiner: joiner, intake: intake, title: adapter.title, logger: logger
            ) { symbols in
                var session = FeedSession(adapter, symbols: symbols, url: url, seed: UInt64.random(in: .min ... .max))
                session.closesUnwanted = pausesAfter != nil
                return FeedConnection(session, on: core.loop, options: options)
            }
            let size = adapter.limits.symbolsPerConnection
            for start in stride(from: 0, to: followed.count, by: size) {
                let some = followed[start..<min(start + size, followed.count)]
                made.connect(some.map { known[$0] }, markets: some.map { base + $0 })
            }
            made.load(followed.map { base + $0 })
            joiner?.start()
            made.sessionPrices = reference.map {
                SessionPrices(core: core, reference: $0, markets: numbers, title: adapter.title, logger: logger)
            }
            made.sessionPrices?.start()
            if let pausesAfter { made.pauseUnwatched(after: pausesAfter) }
            if let evictsAfter {
                let eviction = IdleEviction(
                    core, numbers, after: evictsAfter, to: memory, clock: core.clock,
                    title: adapter.title, logger: logger, isLoading: intake.isHolding)
                made.eviction = eviction
                eviction.start()
            }
            return made
        }
    }

    /// A symbol as a market. How many decimals its prices have shows as they come.
    static func market(_ symbol: String, of adapter: any FeedAdapter, _ listing: MarketListing? = nil) -> Market {
        var market = Market(symbol: symbol, precision: listing?.precision ?? adapter.priceDecimals)
        // Without one no account could be opened.
        if let quote = listing?.quote, !quote.isEmpty { market.quoteCurrency = quote }
        if market.quoteCurrency.isEmpty { market.quoteCurrency = adapter.quoteCurrency }
        return market
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
    ) throws(FeedError) -> (any MarketReference)? {
        guard let adapter = adapter as? any ReferenceAdapter, let credentials else { return nil }
        do { return try adapter.reference(credentials: credentials, base: url.map(FeedAddress.rest)) } catch {
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
            /// For each symbol of its session, the market's number; -1: none of ours.
            var markets: [Int]
            /// It was open, and its loss has not been reported.
            var isUp = false

            func market(_ symbol: Int) -> Int? {
                symbol < markets.count && symbol >= 0 && markets[symbol] >= 0 ? markets[symbol] : nil
            }
        }

        /// The numbers that its markets have or may get.
        let numbers: Range<Int>
        let makeConnection: (_ symbols: [String]) -> FeedConnection
        var connections: [Link] = []
        /// Markets that were removed.
        var gone: Set<Int> = []
        /// By market: what waits for the venue's answer to the first request for it.
        var awaited: [Int: (AddedMarketAnswer) -> Void] = [:]
        /// Whether the feed is switched on.
        var isOn = true
        private(set) var lastMessageAt: Double?
        private var problem: String?
        private var outages = 0
        private let memory: StoredMemory
        private var loadings: [FirstLoading] = []
        private var loaded: Set<Int> = []
        /// By market: the last trade before those that the message being handled shows to be missing.
        private var missedSince: [Int: Double] = [:]
        var pauses: PauseWatch?
        var pauseTimer: RepeatedTask?
        fileprivate var eviction: IdleEviction?
        var sessionPrices: SessionPrices?

        init(
            _ core: MarketCore, _ numbers: Range<Int>, memory: StoredMemory, joiner: HistoryJoiner?,
            intake: CandleIntake, title: String, logger: Logger,
            makeConnection: @escaping (_ symbols: [String]) -> FeedConnection
        ) {
            self.core = core
            self.numbers = numbers
            self.memory = memory
            self.makeConnection = makeConnection
            pipeline = core.onLoop.pipeline
            self.joiner = joiner
            self.intake = intake
            self.title = title
            self.logger = logger
        }

        /// Opens one more connection.
        func connect(_ symbols: [String], markets: [Int]) {
            let connection = makeConnection(symbols)
            connections.append(Link(connection: connection, markets: markets))
            for market in markets { pipeline.setFeed(.connecting, ofMarket: market) }
            connection.receiver = self
            connection.connect()
        }

        /// Puts what is stored into memory, once for each market.
        func load(_ markets: [Int]) {
            let markets = markets.filter { loaded.insert($0).inserted }
            for market in markets { intake.hold(market) }
            let loading = FirstLoading(core, from: memory, title: title, logger: logger)
            loadings.append(loading)
            loading.start(markets) { [intake, joiner] market, stored in
                intake.loaded(market, now: WallClock.now())
                joiner?.begin(market, stored: stored)
            }
        }

        /// Fetches the past of this symbol from now on, or does not any more.
        func setFetched(_ isFetched: Bool, _ symbol: String, _ market: Int) {
            joiner?.setFetched(isFetched, symbol, market)
        }

        func stop() -> [Task<Void, Never>] {
            pauseTimer?.cancel()
            let fetching = joiner?.stop()
            for link in connections { link.connection.stop() }
            let waiting = awaited.values
            awaited = [:]
            for answer in waiting { answer(.pending) }
            return loadings.compactMap { $0.stop() } + [fetching, sessionPrices?.stop()].compactMap { $0 }
                + (eviction?.stop() ?? [])
        }

        func feed(_ connection: FeedConnection, received kind: VenueMessageKind) {
            if !connection.session.venueSession.holes.isEmpty { noteHoles(connection) }
            let now = WallClock.now()
            lastMessageAt = now
            switch kind {
            // A ticker may be the first report of a trade.
            case .trades, .candles, .quotes:
                acceptPrices(connection, now)
                // In a message of many there may be others.
                noteType(connection)
            case .other: noteType(connection)
            case .book, .heartbeat, .acknowledgement, .refusal, .status, .malformed: break
            }
        }

        private func acceptPrices(_ connection: FeedConnection, _ now: Double) {
            guard let link = link(connection) else { return }
            for trade in connection.session.venueSession.trades where connection.session.isWanted(trade.market) {
                guard let market = link.market(trade.market) else { continue }
                intake.traded(market)
                pipeline.noteDecimals(trade.priceDecimals, ofMarket: market)
                pipeline.ingest(market: market, trade.tick, now: now)
            }
            for quote in connection.session.venueSession.quotes where connection.session.isWanted(quote.market) {
                if let market = link.market(quote.market) { pipeline.apply(quote, market: market, now: now) }
            }
            guard
                !connection.session.venueSession.candles.isEmpty || !connection.session.venueSession.openCandles.isEmpty
            else {
                return
            }
            let decoder = connection.session.venueSession
            intake.accept(closed: decoder.candles, open: decoder.openCandles, now: now) { symbol in
                decoder.symbols.find(symbol).flatMap { connection.session.isWanted($0) ? link.market($0) : nil }
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
                    guard let market = link(connection)?.market(index) else { continue }
                    pipeline.setFeed(.refused(problem ?? ""), ofMarket: market)
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
                awaited.removeValue(forKey: market)?(.live)
            case .interrupted(let symbol):
                guard let market = market(connection, symbol) else { return }
                pipeline.setFeed(.interrupted, ofMarket: market)
                pipeline.feedWentDown(market, lossesFrom: now - HistoryPlan.unnoticed)
                joiner?.wentDown(market)
            case .refused(let symbol, let reason):
                guard let market = market(connection, symbol) else { return }
                pipeline.setFeed(.refused(reason), ofMarket: market)
                awaited.removeValue(forKey: market)?(.refused(reason))
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

        private func link(_ connection: FeedConnection) -> Link? {
            connections.first { $0.connection === connection }
        }

        /// `nil` also where it is not wanted: what is missing of a paused market is fetched when it goes on.
        private func wantedMarket(_ connection: FeedConnection, _ symbol: String) -> Int? {
            guard let index = connection.session.symbols.firstIndex(of: symbol), connection.session.isWanted(index)
            else { return nil }
            return link(connection)?.market(index)
        }

        private func market(_ connection: FeedConnection, _ symbol: String) -> Int? {
            connection.session.symbols.firstIndex(of: symbol).flatMap { link(connection)?.market($0) }
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
                if !isOn {
                    "off"
                } else if used.isEmpty {
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
                problem: state == "live" || state == "paused" || state == "off"
                    ? loadingProblem
                    : Self.sentence(problem, isSlow: used.contains { $0.connection.session.isSlowRetry })
                        ?? loadingProblem,
                figures: [
                    ("connections", connections.count), ("outages", outages),
                    ("reconnect_attempts", reconnects.attempts), ("reconnects", reconnects.returns),
                    ("messages", sum(\.messages)), ("trades", sum(\.trades)), ("duplicates", sum(\.duplicates)),
                    ("malformed", sum(\.malformed)), ("missing", sum(\.missing)), ("renumberings", sum(\.renumberings)),
                    ("venue_candles", intake.check.compared), ("candle_differences", intake.check.differing),
                    ("joined_bars", joiner?.joined ?? 0),
                    ("history_failures", joiner?.failures ?? 0),
                    ("unloaded_markets", loadings.reduce(0) { $0 + $1.missing.count }),
                    ("load_failures", loadings.reduce(0) { $0 + $1.failures }),
                    ("idle_markets", eviction?.idleCount ?? 0),
                    ("evictions", eviction?.evictions ?? 0), ("restorations", eviction?.restorations ?? 0),
                    ("restoration_failures", eviction?.failures ?? 0), ("dropped_candles", intake.dropped),
                ] + VenueFlaw.allCases.map { flaw in (flaw.name, sum { $0.flaws[flaw] }) } + providerFigures)
        }

        private var loadingProblem: String? { loadings.lazy.compactMap(\.problem).first }

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
