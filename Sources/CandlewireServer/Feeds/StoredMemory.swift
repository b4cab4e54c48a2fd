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
        // All of it first: for a second attempt, what the first one placed would look as if it had been built meanwhile.
        for timeframe in Timeframe.allCases {
            let rows = try await store.storedCandles(
                symbol: core.registry.storeName(market), timeframe: timeframe, limit: MarketState.memory)
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

/// Where the past of markets is kept when it leaves the memory.
protocol MarketPast: Sendable {
    /// Whether everything that was handed over is kept: rows that found no room are in memory only.
    var isComplete: Bool { get }
    /// Writes what waits to be written.
    func flush() async throws
    /// Puts a market's newest candles into memory, those excepted that were built meanwhile.
    /// - Returns: the start of the newest one of each timeframe, of those that were not built meanwhile.
    /// - Throws: before anything is placed.
    func load(_ market: Int) async throws -> [Timeframe: Double]
}

/// Reads from the store where a market's history ends, and what the buckets that are open there already hold.
struct StoredPast {
    let symbol: String
    let store: CandleStore

    /// `nil` where there is no history yet.
    func read() async throws -> SimulatedHistory.Past? {
        guard let lastSecond = try await store.lastTimestamp(symbol: symbol, timeframe: .s1),
            let last = try await store.candles(symbol: symbol, timeframe: .s1, limit: 1).last
        else { return nil }
        let end = lastSecond + 1
        var bars: [Bar] = []
        for (timeframe, stretch) in SimulatedHistory.openStretches(at: end) where !stretch.isEmpty {
            let candles = try await store.candles(
                symbol: symbol, timeframe: timeframe, from: stretch.lowerBound, before: stretch.upperBound,
                limit: 100_000)
            bars += candles.map {
                Bar(timeframe: timeframe, candle: $0, isFinal: true, revision: 0, quality: .complete)
            }
        }
        return SimulatedHistory.Past(candles: bars, end: end, price: last.close)
    }
}
