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
    let trading: TradingRoutes
    let changes: MarketChanges
    /// `nil`: there are none.
    let consultations: ConsultationRoutes?
    let feeds: FeedSet
    let shards: [ShardReference]
    let webDirectory: String?
    let startedAt: Double
    let admissions: @Sendable () -> AdmissionCounts.Totals
    let origins: OriginPolicy
    /// Whether requests come by HTTPS.
    let isSecure: Bool
    /// Who may read; `nil`: everyone.
    let readers: StreamTokens?
    let logger: Logger

    func router() -> Router<BasicRequestContext> {
        let routes = makeRoutes()
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: CorrelationMiddleware())
        router.add(middleware: SecurityHeadersMiddleware(isSecure: isSecure))
        router.add(middleware: ErrorMiddleware(routes: routes))
        router.add(middleware: GateMiddleware(origins: origins))
        if let readers { router.add(middleware: LoginMiddleware(tokens: readers)) }
        if consultations?.desk.access.isAnonymous == true {
            router.add(middleware: BrowserIdentityMiddleware(isSecure: isSecure))
        }
        if let webDirectory {
            router.add(
                middleware: FileMiddleware(
                    webDirectory, cacheControl: .init([]), searchForIndexHtml: true, logger: logger))
            addTrackerAddresses(to: router)
            // Where the description was shown before.
            for path in ["swagger", "swagger/index.html"] {
                router.get(RouterPath(path)) { _, _ in Response.redirect(to: "/api/", type: .permanent) }
            }
        }
        routes.add(to: router)
        for name in routes.names + StreamUpgrade.paths.map({ "GET \($0)" }) {
            logger.debug("a route is served", metadata: ["route": "\(name)"])
        }
        return router
    }

    /// `/tracker`, `/tracker/AERO` and `/tracker/symbol/AERO` lead to the page's own addresses of the tracker.
    private func addTrackerAddresses(to router: Router<BasicRequestContext>) {
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
        let reader = CandlesReader(core: core, store: store)
        routes.on(.get, "v1/candles") { request in
            let candles = try await reader.read(CandlesQuery(registry: registry, value: request.query))
            return .json { ServerMessageWriter.candles(candles, into: &$0) }
        }
        addPictures(of: reader, to: &routes)
        routes.on(.get, "v1/markets") { _ in
            let summaries = try await core.read { $0.summaries() }
            let statuses = try await feeds.statuses(core)
            let feed = statuses.combined
            return .object { sink in
                sink.list("markets", summaries) { registry.write($0, into: &$1) }
                sink.list("timeframes", Timeframe.allCases.map(\.rawValue))
                sink.fields("feed", feed.name, "feed_state", feed.state)
                sink.list("feeds", statuses)
                sink.field("server_time", WallClock.now())
            }
        }
        routes.on(.get, "v1/markets/:symbol") { request in
            let market = try registry.market(request.path("symbol"))
            let summary = try await core.read { $0.summary(of: market) }
            return .json { registry.write(summary, into: &$0) }
        }
        // The stocks in the tracker's list, and the market of each.
        routes.on(.get, "v1/stocks") { _ in
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
        changes.add(to: &routes, access: trading)
        consultations?.add(to: &routes)
        routes.on(.get, "health") { [self] _ in .json(try await health()) }
        return routes
    }

    private func health() async throws -> HealthDocument {
        var loops: [ReaderCounts] = []
        for shard in shards { loops.append(try await shard.counts().get()) }
        return HealthDocument(
            uptime: core.clock() - startedAt, feeds: try await feeds.statuses(core),
            counts: try await core.read { $0.counts }, loops: loops, admissions: admissions(),
            streams: try await core.streamCounts(), store: store.statistics, trading: try await trading.health(),
            consultations: try await consultations?.desk.health())
    }
}
