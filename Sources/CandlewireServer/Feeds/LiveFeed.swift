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
    let maxAdded: Int
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
    ///   - maxAdded: how many markets may be added, those included.
    /// - Throws: `FeedError` where the address is none, or a key is wanted and not there.
    init(
        _ adapter: any FeedAdapter, symbols: [String], url: String?,
        credentials: FeedCredentials? = nil, fetchesHistory: Bool, pausesAfter: Double? = nil,
        evictsAfter: Double? = nil, added: [AddedMarket] = [], maxAdded: Int = 0, loop: any EventLoop, logger: Logger
    ) throws {
        let token = try FeedTokenSource.fetcher(adapter, credentials, url: url)
        let history = fetchesHistory ? try Self.history(adapter, url, credentials) : nil
        let reference = fetchesHistory ? try Self.reference(adapter, url, credentials) : nil
        do { directory = try MarketDirectory(adapter, url: url, credentials: credentials) } catch {
            throw FeedError(.usage, error.description)
        }
        self.adapter = adapter
        self.maxAdded = maxAdded
        configured = Set(symbols)
        address = FeedAddress.shown(url ?? adapter.endpoint)
        name = adapter.name
        let others = added.filter { !symbols.contains($0.symbol) }
        let known = symbols + others.map(\.symbol)
        removed = Set(others.filter(\.isRemoved).map(\.symbol))
        titles = Dictionary(
            added.compactMap { market in market.title.map { (market.symbol, $0) } }, uniquingKeysWith: { $1 })
        room = max(0, maxAdded - others.count)
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
                use: adapter.isConfigured ? .inPlaceOfTrades : .besideTrades)
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
}
