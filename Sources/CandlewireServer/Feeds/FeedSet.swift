import HistoryStore
import MarketModel
import NIOCore

/// The feeds of this process, one after another: their markets are numbered through.
struct FeedSet: Sendable {
    struct Part: Sendable {
        var feed: any Feed
        /// The number of its first market.
        var base: Int
        /// The numbers of its markets.
        var markets: Range<Int> { base..<base + feed.markets.count }
    }

    let parts: [Part]
    let registry: MarketRegistry

    /// - Parameter marksStore: whether candles are stored under their feed's name too: a store of several feeds, or one
    ///   that may become so.
    init(_ feeds: [any Feed], marksStore: Bool) {
        var (parts, markets, names): ([Part], [Market], [MarketRegistry.Names]) = ([], [], [])
        for feed in feeds {
            parts.append(Part(feed: feed, base: markets.count))
            for var market in feed.markets {
                let (bare, full) = (market.symbol, "\(feed.name):\(market.symbol)")
                // The simulated exchange alone has its names to itself.
                let isMarked = marksStore || feeds.count > 1 && feed.name != "sim"
                let store = isMarked ? full : bare
                names.append(.init(feed: feeds.count > 1 ? feed.name : "", store: store, bare: bare, full: full))
                if feeds.count > 1 { market.symbol = full }
                markets.append(market)
            }
        }
        self.parts = parts
        registry = MarketRegistry(markets, names: names)
    }

    /// For the start banner.
    var summary: String { parts.map(\.feed.summary).joined(separator: "; ") }
    var clockStart: Double? { parts.lazy.compactMap(\.feed.clockStart).first }

    func start(_ core: MarketCore, store: CandleStore) {
        for part in parts { part.feed.start(core, base: part.base, store: store) }
    }

    /// Done when every feed has let go of what it holds.
    func stop(_ core: MarketCore) async throws {
        let tasks = try await core.loop.submit { [parts] in parts.flatMap { $0.feed.stop() } }.get()
        for task in tasks { await task.value }
    }

    func statuses(_ core: MarketCore) async throws -> [FeedStatus] {
        var statuses: [FeedStatus] = []
        for part in parts {
            var status = try await part.feed.status(core)
            status.rejected = try await core.read { $0.rejections(ofMarkets: part.markets) }
            statuses.append(status)
        }
        return statuses
    }
}

extension [FeedStatus] {
    /// All of them as one, for readers that know of one feed only.
    var combined: FeedStatus {
        guard count != 1, let first else { return self.first ?? FeedStatus(name: "none", state: "ended", figures: []) }
        let state = self.first { $0.state == "live" }?.state ?? first.state
        return FeedStatus(
            name: map(\.name).joined(separator: "+"), state: state,
            problem: compactMap(\.problem).first, figures: [],
            rejected: reduce(into: RejectionCounts()) { $0.add($1.rejected) })
    }
}
