import HistoryStore
import MarketModel

/// Puts a market's newest stored candles into memory. Off the market loop, but for the placing.
struct StoredMemory: MarketPast {
    let core: MarketCore
    let store: CandleStore

    var isComplete: Bool { store.statistics.droppedRows == 0 }

    func flush() async throws { if store.statistics.pendingRows > 0 { try await store.flush() } }

    func load(_ market: Int) async throws -> [Timeframe: Double] {
        var stored: [(timeframe: Timeframe, rows: [StoredCandle])] = []
        // All of it first: for a second attempt, what the first one placed would look as built meanwhile.
        for timeframe in Timeframe.allCases {
            let rows = try await store.storedCandles(
                symbol: core.registry.storeNames[market], timeframe: timeframe, limit: MarketState.memory)
            if !rows.isEmpty { stored.append((timeframe, rows)) }
        }
        var newest: [Timeframe: Double] = [:]
        for (timeframe, rows) in stored {
            let candles = rows.map(\.candle)
            let corrected = rows.filter { $0.revision > 0 }
            let revisions = Dictionary(
                corrected.map { ($0.candle.timestamp, $0.revision) }, uniquingKeysWith: { max($0, $1) })
            newest[timeframe] = try await core.read {
                $0.placeStored(candles, revisions: revisions, market: market, timeframe: timeframe)
            }
        }
        return newest
    }
}
