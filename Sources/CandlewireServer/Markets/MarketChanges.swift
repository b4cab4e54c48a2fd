import HTTPTypes
import Logging
import MarketFeeds
import MarketModel
import NIOCore
import TradingCore

/// What keeps a market from being removed.
struct MarketUse: Sendable, Equatable {
    var orders = 0
    /// The accounts that have one.
    var positions: [String] = []

    var isNone: Bool { orders == 0 && positions.isEmpty }

    /// `a position in paper-main and 2 open orders`
    var words: String {
        let held = positions.isEmpty ? nil : "a position in \(positions.joined(separator: ", "))"
        let open = orders == 0 ? nil : orders == 1 ? "an open order" : "\(orders) open orders"
        return [held, open].compactMap { $0 }.joined(separator: " and ")
    }
}

/// Searches, adds and removes markets of live feeds, and switches feeds on and off, while the server runs.
///
/// A change is in place before it is answered, and those of markets are in the data directory. The connections and the
/// streams of other markets go on as they are.
struct MarketChanges: Sendable {
    /// Bytes of a symbol or of a search.
    static let longestText = 64
    /// Markets that a search finds in one feed.
    static let maxResults = 20

    let core: MarketCore
    let feeds: FeedSet
    let trading: TradingGateway
    let added: AddedMarketsFile
    let logger: Logger

    struct Found: Sendable {
        var feed: String
        var listing: MarketListing
        /// Its market here; `nil`: it can be added.
        var market: Int?
    }

    // MARK: Searching

    /// What the venues of the feeds list, and why one could not be searched.
    func search(_ text: String, feed: String?) async throws -> (
        found: [Found], problems: [(feed: String, words: String)]
    ) {
        var (found, problems): ([Found], [(String, String)]) = ([], [])
        for (part, live) in try liveParts(feed) {
            guard let directory = live.directory else {
                problems.append((live.name, "\(live.adapter.title) has no list of its markets that can be searched."))
                continue
            }
            do {
                let names = core.registry.names
                found += try await directory.search(text, limit: Self.maxResults).map { listing in
                    let market = part.markets.first { names[$0].isListed && names[$0].bare == listing.symbol }
                    return Found(feed: live.name, listing: listing, market: market)
                }
            } catch let error as HistoryError {
                problems.append((live.name, error.description))
            }
        }
        return (found, problems)
    }

    private func liveParts(_ name: String?) throws(APIError) -> [(part: FeedSet.Part, feed: LiveFeed)] {
        let live = feeds.parts.compactMap { part in (part.feed as? LiveFeed).map { (part, $0) } }
        guard let name else { return live }
        guard let named = live.first(where: { $0.1.name == name }) else {
            let allowed = live.map(\.1.name).joined(separator: ", ")
            throw APIError(
                .notFound, "unknown_feed",
                "There is no feed \"\(name.prefix(40))\" whose markets can change"
                    + (allowed.isEmpty ? "." : "; allowed are \(allowed)."), field: "feed")
        }
        return [named]
    }

    // MARK: Adding

    /// Adds a market, and waits for the venue's answer.
    /// - Returns: its number, and whether it is new.
    /// - Throws: `APIError`.
    func add(_ text: String, feed: String?) async throws -> (market: Int, isNew: Bool) {
        if feed == nil, let known = core.registry.find(text) { return (known, false) }
        let (part, live, listing) = try await find(text, feed: feed)
        let names = core.registry.names
        if let known = part.markets.first(where: { names[$0].isListed && names[$0].bare == listing.symbol }) {
            return (known, false)
        }
        let market = LiveFeed.market(listing.symbol, of: live.adapter, listing)
        guard let number = feeds.place(market, title: listing.title, in: part) else {
            throw APIError(
                .conflict, "too_many_markets",
                "At most \(live.maxAdded) markets can be added to \(live.name) until the server restarts; "
                    + "remove what is not needed, and restart it.", field: "symbol")
        }
        let answer = try await request(listing.symbol, number, live)
        if case .refused(let reason) = answer {
            try await undoAdding(number, live)
            throw APIError(
                .conflict, "refused_by_venue", "\(live.adapter.title) refuses \(listing.symbol): \(reason)",
                field: "symbol")
        }
        do {
            try added.write(AddedMarket(feed: live.name, symbol: listing.symbol, title: listing.title))
        } catch {
            try await undoAdding(number, live)
            logger.error("an added market cannot be stored", metadata: ["error": "\(error)"])
            throw APIError(
                .serviceUnavailable, "not_stored", "The market was not added: the data directory cannot be written.")
        }
        logger.notice("market added", metadata: ["feed": "\(live.name)", "symbol": "\(listing.symbol)"])
        return (number, true)
    }

    /// The venue's listing of a symbol, and the feed that has it.
    private func find(
        _ text: String, feed: String?
    ) async throws -> (part: FeedSet.Part, feed: LiveFeed, listing: MarketListing) {
        var (text, feed) = (text, feed)
        if feed == nil, let mark = text.firstIndex(of: ":"),
            feeds.parts.contains(where: { $0.feed.name == text[..<mark] })
        {
            (feed, text) = (String(text[..<mark]), String(text[text.index(after: mark)...]))
        }
        let all = try liveParts(feed)
        guard !all.isEmpty else {
            throw APIError(
                .conflict, "fixed_markets",
                "The markets of this server's feeds are chosen when it starts. Markets can be added to the feed of a venue: "
                    + "candlewire serve --feed VENUE:SYMBOL."
            )
        }
        let fitting = all.filter { $0.feed.adapter.flaw(of: text) == nil }
        guard !fitting.isEmpty else {
            throw APIError.invalid("symbol", all[0].feed.adapter.flaw(of: text) ?? "There is no such symbol.")
        }
        var found: [(FeedSet.Part, LiveFeed, MarketListing)] = []
        for (part, live) in fitting {
            // Without a list the venue's answer to the request decides.
            guard let directory = live.directory else {
                found.append((part, live, MarketListing(symbol: text)))
                continue
            }
            do {
                if let listing = try await directory.listing(of: text) { found.append((part, live, listing)) }
            } catch let error as HistoryError where fitting.count == 1 {
                throw APIError(
                    error.kind == .rateLimitExceeded ? .serviceUnavailable : .badGateway, "venue_unavailable",
                    "Whether \(live.adapter.title) lists \(text) is not known: \(error.description)")
            } catch is HistoryError { continue }
        }
        guard let only = found.first else {
            throw APIError(
                .notFound, "not_listed",
                "\(fitting.map(\.feed.adapter.title).joined(separator: ", ")) lists no \"\(text)\".", field: "symbol")
        }
        guard found.count == 1 else {
            let names = found.map { $0.1.name }.joined(separator: ", ")
            throw APIError.invalid("feed", "Several feeds list \(text); name one of them: \(names).")
        }
        return only
    }

    /// Follows the market, and returns what the venue says.
    private func request(_ symbol: String, _ number: Int, _ live: LiveFeed) async throws -> AddedMarketAnswer {
        let promise = core.loop.makePromise(of: AddedMarketAnswer.self)
        let limit = live.adapter.limits.symbolsPerConnection
        core.loop.execute { [core, trading] in
            core.onLoop.pipeline.added()
            trading.desk.value.added(number)
            guard let runner = live.runner.value else { return promise.succeed(.pending) }
            runner.add(symbol, market: number, limit: limit) { promise.succeed($0) }
        }
        return try await promise.futureResult.get()
    }

    /// Removes a market that was only just added, as the venue refuses it or it could not be stored.
    private func undoAdding(_ number: Int, _ live: LiveFeed) async throws {
        let symbol = core.registry.names[number].bare
        try await core.loop.submit { [core] in
            core.registry.remove(number)
            live.runner.value?.remove(symbol, market: number)
            core.onLoop.pipeline.removed(number)
        }.get()
    }

    // MARK: Removing

    /// Removes a market without positions and open orders.
    /// - Returns: its symbol, and whether it is back when the server starts again: it is in its configuration.
    /// - Throws: `APIError`.
    func remove(_ symbol: String) async throws -> (symbol: String, returns: Bool) {
        let market = try core.registry.market(symbol)
        let (shown, name) = (core.registry.markets[market].symbol, core.registry.names[market])
        guard let part = feeds.part(of: market), let live = part.feed as? LiveFeed else {
            throw APIError(
                .conflict, "fixed_markets",
                "\(shown) cannot be removed: the markets of this feed are chosen when the server starts.",
                field: "symbol")
        }
        let use = try await core.loop.submit { [core, trading] () -> MarketUse? in
            let use = trading.desk.value.uses(of: market)
            guard use.isNone else { return use }
            guard core.registry.listed.count > 1 else { return nil }
            core.registry.remove(market)
            live.runner.value?.remove(name.bare, market: market)
            core.onLoop.pipeline.removed(market)
            return use
        }.get()
        guard let use else {
            throw APIError(.conflict, "last_market", "\(shown) is the last market, and stays.", field: "symbol")
        }
        guard use.isNone else {
            throw APIError(
                .conflict, "market_in_use", "\(shown) cannot be removed: it has \(use.words).", field: "symbol")
        }
        let returns = live.configured.contains(name.bare)
        if !returns {
            let entry = AddedMarket(feed: live.name, symbol: name.bare, title: name.title, isRemoved: true)
            do { try added.write(entry) } catch {
                logger.error("a removed market cannot be stored", metadata: ["error": "\(error)"])
                throw APIError(
                    .serviceUnavailable, "not_stored",
                    "\(shown) was removed, and is back after a restart: the data directory cannot be written.")
            }
        }
        logger.notice("market removed", metadata: ["feed": "\(live.name)", "symbol": "\(name.bare)"])
        return (shown, returns)
    }

    // MARK: Feeds

    /// Switches a feed on or off.
    /// - Returns: what waits in its markets meanwhile: positions and orders stay, and nothing fills.
    /// - Throws: `APIError`.
    func setOn(_ isOn: Bool, feed name: String) async throws -> MarketUse {
        guard let part = feeds.parts.first(where: { $0.feed.name == name }) else {
            throw APIError(
                .notFound, "unknown_feed",
                "There is no feed \"\(name.prefix(40))\"; there are \(feeds.parts.map(\.feed.name).joined(separator: ", ")).",
                field: "feed")
        }
        guard let feed = part.feed as? any SwitchableFeed else {
            throw APIError(.conflict, "not_switchable", "The feed \(name) cannot be switched off.", field: "feed")
        }
        let desk = trading.desk
        return try await core.loop.submit { [core, logger = logger.ofRequest] in
            let listed = core.registry.listed.filter(part.markets.contains)
            var waiting = MarketUse()
            for use in listed.map(desk.value.uses) {
                waiting.orders += use.orders
                for account in use.positions where !waiting.positions.contains(account) {
                    waiting.positions.append(account)
                }
            }
            guard feed.setOn(isOn, core) else { return waiting }
            let rest = isOn || waiting.isNone ? "" : " There is \(waiting.words), which waits until it is on again."
            desk.value.report(
                .system, nil, "The feed \(name) was switched \(isOn ? "on" : "off").\(rest)",
                ["feed": name, "switched": isOn ? "on" : "off"])
            logger.notice("feed switched", metadata: ["feed": "\(name)", "on": "\(isOn)"])
            return waiting
        }.get()
    }
}
