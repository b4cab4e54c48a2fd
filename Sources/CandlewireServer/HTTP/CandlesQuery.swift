import HTTPTypes
import HistoryStore
import MarketModel
import StreamCore

/// The parameters of `GET /v1/candles`.
struct CandlesQuery: Equatable {
    static let defaultLimit = 1000
    static let maximumLimit = 10_000

    var market: Int
    var timeframe: Timeframe
    var limit = defaultLimit
    /// Earliest bucket start, inclusive.
    var from: Double?
    /// Latest bucket start, inclusive.
    var to: Double?
    /// Only bucket starts earlier than this.
    var before: Double?

    init(market: Int, timeframe: Timeframe, limit: Int = defaultLimit) {
        self.market = market
        self.timeframe = timeframe
        self.limit = limit
    }

    /// - Parameter value: looks a parameter up.
    init(registry: MarketRegistry, value: (String) -> String?) throws(APIError) {
        guard let symbol = value("symbol"), !symbol.isEmpty else {
            throw .invalid("symbol", "Parameter \"symbol\" is missing; this server has \(registry.allowedNames).")
        }
        let market = try registry.market(symbol)
        guard let name = value("timeframe"), !name.isEmpty else {
            throw .invalid("timeframe", "Parameter \"timeframe\" is missing; allowed are \(Timeframe.allowedNames).")
        }
        guard let timeframe = Timeframe(rawValue: name) else {
            throw APIError(
                .badRequest, "unknown_timeframe",
                "Unknown timeframe \"\(name)\"; allowed are \(Timeframe.allowedNames).", field: "timeframe")
        }
        self.market = market
        self.timeframe = timeframe
        if let text = value("limit") { limit = try APIError.wholeNumber("limit", text, max: Self.maximumLimit) }
        from = try Self.time("from", value)
        to = try Self.time("to", value)
        before = try Self.time("before", value)
    }

    private static func time(_ name: String, _ value: (String) -> String?) throws(APIError) -> Double? {
        guard let text = value(name) else { return nil }
        guard let time = Double(text), time.isFinite else {
            throw .invalid(name, "Parameter \"\(name)\" must be a time in seconds since 1970 UTC.")
        }
        return time
    }

    /// Whether a candle is inside the bounds.
    func includes(_ candle: Candle) -> Bool {
        candle.timestamp >= from ?? -.infinity && candle.timestamp <= to ?? .infinity
            && candle.timestamp < before ?? .infinity
    }

    /// Whether the page grows from its start: only where nothing bounds its end.
    var isForward: Bool { from != nil && to == nil && before == nil }
}

/// Answers `GET /v1/candles` from memory, and from the store for what is older.
struct CandlesReader: Sendable {
    let core: MarketCore
    let store: CandleStore
    /// Histories that are not in the store yet; `nil`: there are none.
    var imports: HistoryImports?

    func read(_ query: CandlesQuery) async throws -> [Candle] {
        let (recent, isAll) = try await core.read { [query] in
            $0.demand(query.market)
            return $0.memory(market: query.market, timeframe: query.timeframe)
        }
        var candles = recent.filter(query.includes)
        let oldest = recent.first?.timestamp ?? .infinity
        let reachesBack = (query.from ?? -.infinity) < oldest
        if !isAll, reachesBack, query.isForward || candles.count < query.limit {
            candles = try await stored(query, before: oldest) + candles
        }
        return Array(query.isForward ? candles.prefix(query.limit) : candles.suffix(query.limit))
    }

    /// What the store has from before the memory's first candle.
    private func stored(_ query: CandlesQuery, before oldest: Double) async throws -> [Candle] {
        let before = min(query.before ?? .infinity, oldest)
        let symbol = try await waitForStore(query, before: before)
        // Forwards, a bound at its end would make it grow from there.
        let candles = try await store.candles(
            symbol: symbol, timeframe: query.timeframe, from: query.from, to: query.to,
            before: query.isForward || before == .infinity ? nil : before, limit: query.limit)
        return query.isForward ? candles.filter { $0.timestamp < before } : candles
    }

    /// Waits until the store has what is on its way to it, of candles that start before `end`: what waits is nearly always newer
    /// than what is requested, and then costs the reader no write.
    /// - Returns: what the market's candles are stored under.
    func waitForStore(_ query: CandlesQuery, before end: Double) async throws -> String {
        let symbol = core.registry.storeName(query.market)
        await imports?.wait(for: symbol)
        if store.hasUnwritten(symbol: symbol, timeframe: query.timeframe, before: end) { try await store.flush() }
        return symbol
    }
}
