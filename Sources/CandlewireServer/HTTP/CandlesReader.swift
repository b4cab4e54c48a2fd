import HistoryStore
import MarketModel

/// Answers `GET /v1/candles` from memory, and from the store for what is older.
struct CandlesReader: Sendable {
    let core: MarketCore
    let store: CandleStore

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
        let symbol = core.registry.storeNames[query.market]
        let before = min(query.before ?? .infinity, oldest)
        // What has left the memory is at least on its way to the store; it must have arrived there. What waits is nearly
        // always newer than what is asked for, and then costs the reader no write.
        if store.hasUnwritten(symbol: symbol, timeframe: query.timeframe, before: before) { try await store.flush() }
        let bound = before == .infinity ? nil : before
        if query.isForward {
            return try await store.candles(
                symbol: symbol, timeframe: query.timeframe, from: query.from, limit: query.limit
            ).filter { $0.timestamp < before }
        }
        return try await store.candles(
            symbol: symbol, timeframe: query.timeframe, from: query.from, to: query.to, before: bound,
            limit: query.limit)
    }
}
