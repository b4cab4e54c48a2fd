import HistoryStore
import Logging
import MarketFeeds
import MarketModel
import NIOCore
import StreamCore

extension LiveFeed {
    /// Receives what the connections deliver.
    final class Runner: FeedConnection.Receiver {
        let core: MarketCore
        let pipeline: MarketPipeline
        let joiner: HistoryJoiner?
        let intake: CandleIntake
        let title: String
        let logger: Logger
        private let clock: WallClock
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
        var problem: String?
        var outages = 0
        private let memory: StoredMemory
        var loadings: [FirstLoading] = []
        private var loaded: Set<Int> = []
        /// By market: the last trade before those that the message being handled shows to be missing.
        private var missedSince: [Int: Double] = [:]
        var pauses: PauseWatch?
        var pauseTimer: RepeatedTask?
        var eviction: IdleEviction?
        var sessionPrices: SessionPrices?

        init(
            _ core: MarketCore, _ numbers: Range<Int>, memory: StoredMemory, joiner: HistoryJoiner?,
            intake: CandleIntake, title: String, logger: Logger, clock: WallClock = .machine,
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
            self.clock = clock
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
            loading.start(markets) { [intake, joiner, clock] market, stored in
                intake.loaded(market, now: clock.now())
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
            let now = clock.now()
            if !connection.session.venueSession.holes.isEmpty { noteHoles(connection, now) }
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
                clock.note(venueTime: trade.tick.timestamp)
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
            let now = clock.now()
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
                joiner?.missed(market, since: missedSince[market] ?? now)
                logger.warning(
                    "trades missed", metadata: ["feed": "\(title)", "symbol": "\(symbol)", "count": "\(count)"])
            case .unavailable(let reason): problem = reason
            // No reader wants books so far.
            case .book: break
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

        /// Before the message's trades are accepted, which may end the bars that lack some: what is missing lies behind the last
        /// one seen.
        private func noteHoles(_ connection: FeedConnection, _ now: Double) {
            missedSince.removeAll(keepingCapacity: true)
            guard let link = link(connection) else { return }
            for hole in connection.session.venueSession.holes {
                guard let market = wantedMarket(connection, hole.symbol) else { continue }
                let since = pipeline.markets[market].lastTick?.timestamp
                missedSince[market] = since
                // Bars begin at the venue's time, and the server's clock may be behind it. The missing trades may have the time
                // of the one that shows the hole.
                let latest = now + pipeline.maxAhead
                let shown = connection.session.venueSession.trades.lazy
                    .filter { link.market($0.market) == market && $0.tick.timestamp <= latest }
                    .map(\.tick.timestamp.nextUp).max()
                pipeline.feedMissed(market, since: since ?? now, until: max(now, shown ?? now))
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
    }
}
