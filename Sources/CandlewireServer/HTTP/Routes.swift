import Foundation
import HTTPTypes
import HistoryStore
import Hummingbird
import Logging
import MarketModel
import NIOCore
import StreamCore

/// The REST interface and the page's files.
struct Routes: Sendable {
    let core: MarketCore
    let store: CandleStore
    let trading: TradingRoutes
    /// `nil`: there are none.
    let consultations: ConsultationRoutes?
    let feeds: FeedSet
    let shards: [ShardReference]
    let webDirectory: String?
    let startedAt: Double
    let admissions: @Sendable () -> AdmissionCounts.Totals
    let origins: OriginPolicy
    let logger: Logger

    func router() -> Router<BasicRequestContext> {
        let routes = makeRoutes()
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: ErrorMiddleware(routes: routes))
        router.add(middleware: PathMiddleware())
        router.add(middleware: HostMiddleware(origins: origins))
        router.add(middleware: OriginMiddleware(origins: origins))
        if let webDirectory {
            router.add(middleware: PageHeadersMiddleware())
            router.add(
                middleware: FileMiddleware(
                    webDirectory, cacheControl: .init([]), searchForIndexHtml: true, logger: logger))
        }
        routes.add(to: router)
        return router
    }

    private func makeRoutes() -> RouteTable {
        var routes = RouteTable()
        let reader = CandlesReader(core: core, store: store)
        routes.on(.get, "v1/candles") { [core] request in
            let query = try CandlesQuery(registry: core.registry, value: request.parameter)
            let candles = try await reader.read(query)
            return .json { ServerMessageWriter.candles(candles, into: &$0) }
        }
        let renderer = ChartRenderer()
        ChartRoutes(core: core, reader: reader, renderer: renderer).add(to: &routes)
        PictureRoutes(renderer: renderer).add(to: &routes)
        routes.on(.get, "v1/markets") { [core, feeds] _ in
            let summaries = try await core.read { $0.summaries() }
            let statuses = try await feeds.statuses(core)
            return .json {
                MarketsDocument.write(
                    summaries, registry: core.registry, feeds: statuses, serverTime: WallClock.now(), into: &$0)
            }
        }
        routes.on(.get, "v1/markets/:symbol") { [core] request in
            let market = try core.registry.market(request.path("symbol"))
            let summary = try await core.read { $0.summary(of: market) }
            return .json { MarketsDocument.market(summary, registry: core.registry, into: &$0) }
        }
        routes.on(.get, "v1/stocks") { [core, feeds] _ in
            guard let part = feeds.parts.first(where: { $0.feed is TrackerFeed }),
                let tracker = part.feed as? TrackerFeed
            else { throw APIError.noTracker }
            return .object { StocksDocument.write(part, tracker.stocks, registry: core.registry, into: &$0) }
        }
        trading.add(to: &routes)
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
