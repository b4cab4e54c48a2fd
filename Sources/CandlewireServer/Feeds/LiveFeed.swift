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
    private let adapter: any FeedAdapter
    private let symbols: [String]
    private let url: String?
    private let options: FeedConnection.Options
    private let history: VenueHistory?
    private let logger: Logger
    private let runner: NIOLoopBoundBox<Runner?>

    /// - Parameters:
    ///   - url: instead of the venue's own address, for REST too.
    ///   - credentials: for venues that want a key.
    ///   - fetchesHistory: whether what was missed is fetched from the venue.
    /// - Throws: `FeedError` where the address is none, or a key is wanted and not there.
    init(
        _ adapter: any FeedAdapter, symbols: [String], url: String?,
        credentials: FeedCredentials? = nil, fetchesHistory: Bool,
        loop: any EventLoop, logger: Logger
    ) throws {
        self.adapter = adapter
        self.symbols = symbols
        self.url = url
        self.logger = logger
        var options = FeedConnection.Options()
        options.token = try FeedTokenSource.fetcher(adapter, credentials, url: url)
        self.options = options
        history = fetchesHistory ? try Self.history(adapter, url, credentials) : nil
        name = adapter.name
        // How many decimals a market's prices have shows as they come.
        markets = symbols.map { symbol in
            var market = Market(symbol: symbol, precision: 2)
            // Without one no account could be opened.
            if market.quoteCurrency.isEmpty { market.quoteCurrency = adapter.quoteCurrency }
            return market
        }
        let shown =
            symbols.prefix(3).joined(separator: ", ") + (symbols.count > 3 ? " and \(symbols.count - 3) more" : "")
        summary = "\(adapter.title), \(shown)" + (url.map { " at \($0)" } ?? "")
        runner = NIOLoopBoundBox.makeEmptyBox(valueType: Runner.self, eventLoop: loop)
    }

    private static func history(
        _ adapter: any FeedAdapter, _ url: String?, _ credentials: FeedCredentials?
    ) throws(FeedError) -> VenueHistory? {
        guard let rest = adapter.history else { return nil }
        let base = url.map(FeedAddress.rest) ?? adapter.historyEndpoint
        do {
            let headers = adapter.historyHeaders + (credentials.map(rest.headers) ?? [])
            return try VenueHistory(rest, base: base, transport: .network(headers: headers))
        } catch { throw FeedError(.usage, error.description) }
    }

    func start(_ core: MarketCore, base: Int, store: CandleStore) {
        core.loop.execute { [runner, adapter, symbols, url, options, history, logger] in
            let joiner = history.map {
                HistoryJoiner(
                    core, history: $0, store: store, symbols: symbols, base: base, title: adapter.title,
                    logger: logger)
            }
            let intake = CandleIntake(core.onLoop.pipeline, base: base, count: symbols.count)
            let made = Runner(core, joiner: joiner, intake: intake, title: adapter.title, logger: logger)
            runner.value = made
            let size = adapter.limits.symbolsPerConnection
            for start in stride(from: 0, to: symbols.count, by: size) {
                let session = FeedSession(
                    adapter, symbols: Array(symbols[start..<min(start + size, symbols.count)]), url: url,
                    seed: UInt64.random(in: .min ... .max))
                made.add(FeedConnection(session, on: core.loop, options: options), firstMarket: base + start)
            }
            joiner?.start()
        }
    }

    func stop() {
        runner.value?.stop()
        runner.value = nil
    }

    func status(_ core: MarketCore) async throws -> FeedStatus {
        try await core.loop.submit { [runner, name] in
            runner.value?.status(name) ?? FeedStatus(name: name, state: "ended", figures: [])
        }.get()
    }

    /// Takes what the connections bring.
    private final class Runner: FeedConnection.Receiver {
        private let core: MarketCore
        private let pipeline: MarketPipeline
        private let joiner: HistoryJoiner?
        private let intake: CandleIntake
        private let title: String
        private let logger: Logger
        private var connections: [(connection: FeedConnection, firstMarket: Int)] = []
        private var problem: String?
        private var outages = 0

        init(_ core: MarketCore, joiner: HistoryJoiner?, intake: CandleIntake, title: String, logger: Logger) {
            self.core = core
            pipeline = core.onLoop.pipeline
            self.joiner = joiner
            self.intake = intake
            self.title = title
            self.logger = logger
        }

        func add(_ connection: FeedConnection, firstMarket: Int) {
            connections.append((connection, firstMarket))
            for index in connection.session.symbols.indices {
                pipeline.setFeed(.connecting, ofMarket: firstMarket + index)
            }
            connection.receiver = self
            connection.connect()
        }

        func stop() {
            joiner?.stop()
            for (connection, _) in connections { connection.stop() }
        }

        func feed(_ connection: FeedConnection, received kind: VenueMessageKind) {
            switch kind {
            case .trades, .candles:
                takePrices(connection)
                // In a message of many there may be others.
                noteType(connection)
            case .other: noteType(connection)
            case .quotes, .book, .heartbeat, .acknowledgement, .refusal, .status, .malformed: break
            }
        }

        private func takePrices(_ connection: FeedConnection) {
            guard let first = firstMarket(connection) else { return }
            let now = WallClock.now()
            let known = connection.session.symbolCount
            for trade in connection.session.decoder.trades where trade.market < known {
                intake.traded(first + trade.market)
                pipeline.noteDecimals(trade.priceDecimals, ofMarket: first + trade.market)
                pipeline.ingest(market: first + trade.market, trade.tick, now: now)
            }
            guard !connection.session.decoder.candles.isEmpty || !connection.session.decoder.openCandles.isEmpty else {
                return
            }
            let decoder = connection.session.decoder
            intake.take(closed: decoder.candles, open: decoder.openCandles, now: now) { symbol in
                decoder.symbols.find(symbol).flatMap { $0 < known ? first + $0 : nil }
            }
        }

        /// A provider's messages of types that its configuration does not name: each type once.
        private func noteType(_ connection: FeedConnection) {
            guard let type = connection.session.decoder.newType else { return }
            logger.notice(
                "messages of an unknown type are left out", metadata: ["feed": "\(title)", "type": "\(type)"])
        }

        func feed(_ connection: FeedConnection, event: FeedEvent) {
            let (title, now) = (title, WallClock.now())
            switch event {
            case .state(.open):
                problem = nil
                logger.notice("feed connected", metadata: ["feed": "\(title)"])
            case .state(.waiting):
                outages += 1
                logger.warning("feed lost", metadata: ["feed": "\(title)", "problem": "\(problem ?? "none known")"])
            case .state(.failed(let failure)):
                problem = "\(title) refuses the connection, and is asked again each minute: \(failure.words)."
                for index in connection.session.symbols.indices {
                    setFeed(connection, index, .refused(problem ?? ""))
                }
                logger.error("feed failed", metadata: ["feed": "\(title)", "problem": "\(problem ?? "")"])
            case .state: break
            case .live(let symbol):
                guard let market = market(connection, symbol) else { return }
                pipeline.setFeed(.live, ofMarket: market)
                pipeline.feedCameUp(market, at: now)
                joiner?.cameUp(market)
            case .interrupted(let symbol):
                guard let market = market(connection, symbol) else { return }
                pipeline.setFeed(.interrupted, ofMarket: market)
                pipeline.feedWentDown(market)
                joiner?.wentDown(market)
            case .refused(let symbol, let reason):
                guard let market = market(connection, symbol) else { return }
                pipeline.setFeed(.refused(reason), ofMarket: market)
                logger.error(
                    "symbol refused", metadata: ["feed": "\(title)", "symbol": "\(symbol)", "reason": "\(reason)"])
            case .unanswered(let symbol):
                guard let market = market(connection, symbol) else { return }
                pipeline.setFeed(.refused("\(title) does not answer; it is asked again."), ofMarket: market)
            case .missed(let symbol, let count):
                guard let market = market(connection, symbol) else { return }
                pipeline.feedWentDown(market)
                pipeline.feedCameUp(market, at: now)
                joiner?.missed(market)
                logger.warning(
                    "trades missed", metadata: ["feed": "\(title)", "symbol": "\(symbol)", "count": "\(count)"])
            case .unavailable(let reason): problem = reason
            case .problem(let what): problem = what.words
            }
        }

        private func firstMarket(_ connection: FeedConnection) -> Int? {
            connections.first { $0.connection === connection }?.firstMarket
        }

        private func market(_ connection: FeedConnection, _ symbol: String) -> Int? {
            guard let first = firstMarket(connection), let index = connection.session.symbols.firstIndex(of: symbol)
            else { return nil }
            return first + index
        }

        private func setFeed(_ connection: FeedConnection, _ index: Int, _ state: MarketFeedState) {
            guard let first = firstMarket(connection) else { return }
            pipeline.setFeed(state, ofMarket: first + index)
        }

        func status(_ name: String) -> FeedStatus {
            var counts = VenueSession.Counts()
            var flaws: [Int] = VenueFlaw.allCases.map { _ in 0 }
            var provider = ProviderFigures()
            for (connection, _) in connections {
                let one = connection.session.decoder.counts
                counts.messages += one.messages
                counts.trades += one.trades
                counts.duplicates += one.duplicates
                counts.missing += one.missing
                counts.renumberings += one.renumberings
                if let more = connection.session.decoder.providerCounts { provider.add(more) }
                for flaw in VenueFlaw.allCases { flaws[flaw.rawValue] += one.flaws[flaw] }
            }
            let states = connections.map { $0.connection.session.state }
            let state =
                if connections.contains(where: { $0.connection.session.outage != nil }) {
                    "unavailable"
                } else if states.allSatisfy({ $0 == .open }) {
                    "live"
                } else if states.contains(where: { if case .failed = $0 { true } else { false } }) {
                    "failed"
                } else {
                    outages == 0 ? "connecting" : "reconnecting"
                }
            return FeedStatus(
                name: name, state: state, problem: state == "live" ? nil : problem,
                figures: [
                    ("connections", connections.count), ("outages", outages), ("messages", counts.messages),
                    ("trades", counts.trades), ("duplicates", counts.duplicates), ("missing", counts.missing),
                    ("renumberings", counts.renumberings), ("joined_bars", joiner?.joined ?? 0),
                    ("history_failures", joiner?.failures ?? 0),
                ] + VenueFlaw.allCases.map { ($0.name, flaws[$0.rawValue]) } + provider.figures)
        }
    }
}
