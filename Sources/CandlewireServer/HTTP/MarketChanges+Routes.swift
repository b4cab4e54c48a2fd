import Foundation
import HTTPTypes
import HistoryStore
import Hummingbird
import Logging
import MarketFeeds
import MarketModel
import StreamCore

/// `/v1/listings`, `/v1/feeds`, and what changes `/v1/markets`.
extension MarketChanges {
    func add(to routes: inout RouteTable) {
        routes.on(.get, "v1/listings", .scope(.read), cost: { _ in 5 }) { request in
            guard let text = request.query("query")?.trimmingCharacters(in: .whitespaces) else {
                throw APIError.invalid("query", "Parameter \"query\" is missing: a part of a symbol or a name.")
            }
            try Self.check(text, "query")
            let (found, problems) = try await search(text, feed: request.query("feed"))
            let markets = core.registry.markets
            return .object { sink in
                sink.list("listings", found) { one, sink in
                    sink.object { sink in
                        sink.fields("symbol", one.listing.symbol, "name", one.listing.title, "feed", one.feed)
                        sink.fields("quote", one.listing.quote, "market", one.market.map { markets[$0].symbol })
                    }
                }
                sink.list("problems", problems) { problem, sink in
                    sink.object { $0.fields("feed", problem.feed, "message", problem.words) }
                }
            }
        }
        routes.on(.post, "v1/markets", .server) { request in
            let body = try await request.body(allowed: ["symbol", "feed"])
            guard let symbol = try body.text("symbol")?.trimmingCharacters(in: .whitespaces), !symbol.isEmpty else {
                throw APIError.missing("symbol", "a symbol that a feed's venue lists")
            }
            try Self.check(symbol, "symbol")
            let (market, isNew) = try await add(symbol, feed: try body.text("feed"))
            let (summary, registry) = (try await core.read { $0.summary(of: market) }, core.registry)
            return .json(status: isNew ? .created : .ok) { registry.write(summary, into: &$0) }
        }
        routes.on(.delete, "v1/markets/:symbol", .server) { request in
            let (symbol, returns) = try await remove(request.path("symbol"))
            return .object { $0.fields("symbol", symbol, "removed", true, "back_after_restart", returns) }
        }
        addFeeds(to: &routes)
    }

    private func addFeeds(to routes: inout RouteTable) {
        routes.on(.get, "v1/feeds", .markets) { _ in
            let registry = core.registry
            var details: [(FeedDetails, Int)] = []
            for part in feeds.parts {
                var one = try await part.feed.details(core)
                one.status.rejected = try await core.read { $0.rejections(ofMarkets: part.markets) }
                details.append((one, registry.listed.count(where: part.markets.contains)))
            }
            return .object { sink in
                sink.fields("version", CandlewireRelease.version, "log_level", logger.logLevel.rawValue)
                sink.field("trading", "paper")
                sink.list("feeds", details) { one, sink in
                    sink.object { sink in
                        one.0.writeMembers(into: &sink)
                        sink.field("markets", one.1)
                    }
                }
            }
        }
        routes.on(.post, "v1/feeds/:name", .server) { request in
            let body = try await request.body(allowed: ["on"])
            guard let isOn = try body.flag("on") else { throw APIError.missing("on", "true or false") }
            let waiting = try await setOn(isOn, feed: request.path("name"))
            return .object { sink in
                sink.fields("feed", request.path("name"), "on", isOn, "open_orders", waiting.orders)
                sink.list("positions_in", waiting.positions)
            }
        }
    }

    private static func check(_ text: String, _ field: String) throws(APIError) {
        guard text.utf8.count <= longestText else {
            throw .invalid(field, "\"\(field)\" must have at most \(longestText) bytes.")
        }
    }
}
