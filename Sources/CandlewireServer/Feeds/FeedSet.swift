import HistoryStore
import MarketModel
import NIOCore

/// The feeds of this process, one after another: their markets are numbered through.
struct FeedSet: Sendable {
    struct Part: Sendable {
        var feed: any Feed
        /// The number of its first market.
        var base: Int
        /// The numbers of its markets, and those that it may get.
        var markets: Range<Int> { base..<base + feed.markets.count + feed.room }
    }

    let parts: [Part]
    let marksStore: Bool
    let registry: MarketRegistry

    /// - Parameter marksStore: whether candles are stored under their feed's name too: a store of several feeds, or one
    ///   that may become so.
    init(_ feeds: [any Feed], marksStore: Bool) {
        var (parts, markets, names): ([Part], [Market], [MarketRegistry.Names]) = ([], [], [])
        for feed in feeds {
            parts.append(Part(feed: feed, base: markets.count))
            for var market in feed.markets {
                var name = Self.names(market.symbol, of: feed.name, among: feeds.count, marksStore: marksStore)
                name.title = feed.titles[market.symbol]
                name.isListed = !feed.removed.contains(market.symbol)
                names.append(name)
                if feeds.count > 1 { market.symbol = name.full }
                markets.append(market)
            }
            for _ in 0..<feed.room {
                markets.append(Market(symbol: "", baseCurrency: "", quoteCurrency: "", precision: 2))
                names.append(.init(store: "", bare: "", full: "", isListed: false))
            }
        }
        self.parts = parts
        self.marksStore = marksStore
        registry = MarketRegistry(markets, names: names)
    }

    /// The names of a feed's market: the simulated exchange alone has its names to itself.
    private static func names(
        _ symbol: String, of feed: String, among count: Int, marksStore: Bool
    ) -> MarketRegistry.Names {
        let full = "\(feed):\(symbol)"
        let isMarked = marksStore || count > 1 && feed != "sim"
        return .init(feed: count > 1 ? feed : "", store: isMarked ? full : symbol, bare: symbol, full: full)
    }

    /// Gives a feed's market a number.
    /// - Parameter market: with its symbol as the feed has it.
    /// - Returns: `nil` where the feed has no room.
    func place(_ market: Market, title: String?, in part: Part) -> Int? {
        var (market, name) = (
            market, Self.names(market.symbol, of: part.feed.name, among: parts.count, marksStore: marksStore)
        )
        name.title = title
        if parts.count > 1 { market.symbol = name.full }
        return registry.place(market, name, in: part.markets)
    }

    /// The feed that has the market of this number.
    func part(of market: Int) -> Part? { parts.first { $0.markets.contains(market) } }

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
            (status.rejected, status.lastTickAt) = try await core.read { pipeline in
                (
                    pipeline.rejections(ofMarkets: part.markets),
                    pipeline.markets[part.markets].lazy.compactMap(\.lastTickReceivedAt).max()
                )
            }
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
