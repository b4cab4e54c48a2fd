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
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: ErrorMiddleware())
        router.add(middleware: PathMiddleware())
        router.add(middleware: HostMiddleware(origins: origins))
        router.add(middleware: OriginMiddleware(origins: origins))
        if let webDirectory {
            router.add(middleware: PageHeadersMiddleware())
            router.add(
                middleware: FileMiddleware(
                    webDirectory, cacheControl: .init([]), searchForIndexHtml: true, logger: logger))
        }
        let reader = CandlesReader(core: core, store: store)
        router.get("v1/candles") { [core] request, _ in
            try await JSONResponse.answer {
                let parameters = request.uri.queryParameters
                let query = try CandlesQuery(registry: core.registry) { name in parameters[name[...]].map(String.init) }
                let candles = try await reader.read(query)
                return JSONResponse.make { ServerMessageWriter.candles(candles, into: &$0) }
            }
        }
        let renderer = ChartRenderer()
        ChartRoutes(core: core, reader: reader, renderer: renderer).add(to: router)
        PictureRoutes(renderer: renderer).add(to: router)
        router.get("v1/markets") { [core, feeds] _, _ in
            let summaries = try await core.read { $0.summaries() }
            let statuses = try await feeds.statuses(core)
            return JSONResponse.make {
                MarketsDocument.write(
                    summaries, registry: core.registry, feeds: statuses, serverTime: WallClock.now(), into: &$0)
            }
        }
        router.get("v1/markets/:symbol") { [core] _, context in
            try await JSONResponse.answer {
                let symbol = context.parameters.get("symbol").flatMap { $0.removingPercentEncoding } ?? ""
                guard let market = core.registry.find(symbol) else {
                    throw APIError.unknownSymbol(symbol, core.registry)
                }
                let summary = try await core.read { $0.summary(of: market) }
                return JSONResponse.make { MarketsDocument.market(summary, registry: core.registry, into: &$0) }
            }
        }
        router.get("v1/stocks") { [core, feeds] _, _ in
            try await JSONResponse.answer {
                guard let part = feeds.parts.first(where: { $0.feed is TrackerFeed }),
                    let tracker = part.feed as? TrackerFeed
                else { throw APIError.noTracker }
                return JSONResponse.make {
                    StocksDocument.write(part, tracker.stocks, registry: core.registry, into: &$0)
                }
            }
        }
        trading.add(to: router)
        consultations?.add(to: router)
        router.get("health") { [self] _, _ in try await health() }
        return router
    }

    private func health() async throws -> Response {
        var loops: [ReaderCounts] = []
        for shard in shards { loops.append(try await shard.counts().get()) }
        let document = HealthDocument(
            uptime: core.clock() - startedAt, feeds: try await feeds.statuses(core),
            counts: try await core.read { $0.counts }, loops: loops, admissions: admissions(),
            streams: try await core.streamCounts(), store: store.statistics, trading: try await trading.health(),
            consultations: try await consultations?.desk.health())
        return JSONResponse.make { document.write(into: &$0) }
    }
}
