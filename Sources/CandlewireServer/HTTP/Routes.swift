import Foundation
import HTTPTypes
import HistoryStore
import Hummingbird
import Logging
import MarketFeeds
import MarketModel
import NIOCore
import StreamCore

/// The REST interface and the page's files.
struct Routes: Sendable {
    let core: MarketCore
    let store: CandleStore
    let imports: HistoryImports
    let trading: TradingRoutes
    let changes: MarketChanges
    /// `nil`: there are none.
    let consultations: ConsultationRoutes?
    let feeds: FeedSet
    let shards: [ShardReference]
    let webDirectory: String?
    /// The page where there is no folder of it.
    let pageArchive: PageArchive?
    let startedAt: Double
    let admissions: @Sendable () -> AdmissionCounts.Totals
    let origins: OriginPolicy
    let gate: ConnectionGate
    let access: AccessControl
    let limiter: ClientLimiter
    let audit: AuditLog
    let operations: Operations
    let logger: Logger

    func router() -> Router<ClientContext> {
        let routes = makeRoutes()
        let router = Router(context: ClientContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: CorrelationMiddleware())
        router.add(middleware: RequestMetricsMiddleware(counts: operations.requests))
        if let tracer = operations.tracer { router.add(middleware: RequestSpanMiddleware(tracer: tracer)) }
        router.add(middleware: FileHeadersMiddleware())
        router.add(middleware: ErrorMiddleware(routes: routes))
        router.add(middleware: GateMiddleware(origins: origins))
        if consultations?.desk.access.isAnonymous == true {
            router.add(middleware: BrowserIdentityMiddleware())
        }
        if let webDirectory {
            router.add(middleware: FileMiddleware(webDirectory, searchForIndexHtml: true, logger: logger))
        } else if let pageArchive {
            let provider = PageArchiveProvider(archive: pageArchive)
            router.add(middleware: FileMiddleware(fileProvider: provider, searchForIndexHtml: true))
        }
        if webDirectory != nil || pageArchive != nil {
            addTrackerAddresses(to: router)
            // Where the description was shown before.
            for path in ["swagger", "swagger/index.html"] {
                router.get(RouterPath(path)) { _, _ in Response.redirect(to: "/api/", type: .permanent) }
            }
        }
        routes.add(to: router, access: access, limiter: limiter, audit: audit)
        for name in routes.names + StreamUpgrade.paths.map({ "GET \($0)" }) {
            logger.debug("a route is served", metadata: ["route": "\(name)"])
        }
        return router
    }

    /// `/tracker`, `/tracker/AERO` and `/tracker/symbol/AERO` lead to the page's own addresses of the tracker.
    private func addTrackerAddresses(to router: Router<ClientContext>) {
        for path in ["tracker", "tracker/:symbol", "tracker/symbol/:symbol"] {
            router.get(RouterPath(path)) { request, _ in
                // As it came, so that it stays percent-encoded.
                let parts = request.uri.path.split(separator: "/")
                let symbol = parts.count > 1 ? parts.last : nil
                // The page's modules are in a folder of the same name.
                if let symbol, symbol.hasSuffix(".js") || symbol.hasSuffix(".css") { throw HTTPError(.notFound) }
                return Response.redirect(to: "/#stocks" + (symbol.map { "/\($0)" } ?? ""), type: .found)
            }
        }
    }

    private func makeRoutes() -> RouteTable {
        var routes = RouteTable()
        let (core, feeds, registry) = (core, feeds, core.registry)
        let reader = CandlesReader(core: core, store: store, imports: imports)
        routes.on(
            .get, "v1/candles", .markets,
            cost: { request in
                // The answer's size: a thousand candles are as much as a small one.
                1 + Double(min(request.query("limit").flatMap(Int.init) ?? 0, CandlesQuery.maximumLimit)) / 1000
            }
        ) { request in
            let candles = try await reader.read(CandlesQuery(registry: registry, value: request.query))
            return .json { ServerMessageWriter.candles(candles, into: &$0) }
        }
        let export = CandleExport(reader: reader, logger: logger)
        routes.on(.get, "v1/candles.csv", .markets, cost: { _ in CandleExport.cost }) { request in
            try await export.answer(CandlesQuery(registry: registry) { $0 == "limit" ? nil : request.query($0) })
        }
        addPictures(of: reader, to: &routes)
        routes.on(.get, "v1/markets", .markets) { request in
            let known = request.query("since").flatMap { MarketListPosition($0) }
            let list = try await core.read { $0.list(since: known) }
            let statuses = try await feeds.statuses(core)
            let feed = statuses.combined
            return .object { sink in
                sink.list("markets", list.summaries) { registry.write($0, into: &$1) }
                sink.field("position", list.position.text)
                if list.isPartial { sink.field("changed_only", true) }
                sink.list("timeframes", Timeframe.allCases.map(\.rawValue))
                sink.fields("feed", feed.name, "feed_state", feed.state)
                sink.list("feeds", statuses)
                sink.field("server_time", WallClock.now())
            }
        }
        routes.on(.get, "v1/markets/:symbol", .markets) { request in
            let market = try registry.market(request.path("symbol"))
            let summary = try await core.read { $0.summary(of: market) }
            return .json { registry.write(summary, into: &$0) }
        }
        // The stocks in the tracker's list, and the market of each.
        routes.on(.get, "v1/stocks", .markets) { _ in
            for part in feeds.parts {
                guard let tracker = part.feed as? TrackerFeed else { continue }
                return .object { sink in
                    sink.list("stocks", zip(tracker.stocks, registry.markets[part.base...])) { entry, sink in
                        let (stock, market) = entry
                        let price = stock.price(delta: stock.initialDelta) ?? stock.initialPrice
                        sink.object { sink in
                            sink.fields("symbol", stock.symbol, "market", market.symbol, "company", stock.company)
                            sink.fields("description", stock.description, "initial_price", stock.initialPrice)
                            sink.fields("price", price, "precision", stock.decimals)
                        }
                    }
                }
            }
            throw APIError(.notFound, "no_tracker", "This server tracks no stocks; --feed tracker does.")
        }
        trading.add(to: &routes)
        changes.add(to: &routes)
        consultations?.add(to: &routes)
        addOperations(to: &routes)
        addLogLevels(to: &routes)
        return routes
    }

    func health() async throws -> HealthDocument {
        var loops: [ReaderCounts] = []
        for shard in shards { loops.append(try await shard.counts().get()) }
        return HealthDocument(
            isDraining: operations.readiness.current == .draining, connections: gate.counts,
            uptime: core.clock() - startedAt,
            feeds: try await feeds.statuses(core),
            counts: try await core.read { $0.counts }, loops: loops, admissions: admissions(),
            streams: try await core.streamCounts(), store: store.statistics, trading: try await trading.health(),
            consultations: try await consultations?.desk.health(), logins: access.failures)
    }
}
