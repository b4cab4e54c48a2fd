import HistoryStore
import MarketFeeds
import MarketModel

/// Gets a market's past from the store and from its venue, and puts it in place. Off the market loop, but for the placing.
struct HistoryFetcher: Sendable {
    /// How far back the first minutes go, in candles.
    static let minutes = 1440.0
    /// The same for days and hours.
    private static let coarser: [(timeframe: Timeframe, count: Double)] = [(.d1, 700), (.h1, 720)]

    enum Outcome: Sendable {
        /// So many bars changed.
        case joined(Int)
        /// It makes no sense to ask again where the venue itself says no.
        case failed(String, isFinal: Bool)
    }

    let core: MarketCore
    let history: VenueHistory
    let store: CandleStore

    /// Puts a market's newest stored candles into memory, and the venue's days and hours since then.
    /// - Returns: the newest stored minute. What cannot be had is left out: the minutes will tell why.
    func prepare(_ symbol: String, market: Int) async -> Double? {
        let stored = (try? await load(market)) ?? [:]
        for (timeframe, count) in Self.coarser where history.adapter.timeframes.contains(timeframe) {
            let now = WallClock.now()
            // What is stored may lie in the future: written while the clock was wrong.
            let from = min(now, max(stored[timeframe] ?? 0, now - count * timeframe.seconds))
            _ = try? await fetch(symbol, market, timeframe, from..<now)
        }
        return stored[.m1]
    }

    /// Fetches these minutes.
    func attempt(_ symbol: String, market: Int, _ stretch: Range<Double>) async -> Outcome {
        do {
            return .joined(try await fetch(symbol, market, .m1, stretch))
        } catch {
            let isFinal = (error as? HistoryError).map { $0.kind == .refused || $0.kind == .usage } ?? false
            return .failed("\(error)", isFinal: isFinal)
        }
    }

    /// - Returns: the newest stored candle of each timeframe.
    private func load(_ market: Int) async throws -> [Timeframe: Double] {
        var newest: [Timeframe: Double] = [:]
        for timeframe in Timeframe.allCases {
            let candles = try await store.candles(
                symbol: core.registry.storeNames[market], timeframe: timeframe, limit: MarketState.memory)
            guard let last = candles.last else { continue }
            newest[timeframe] = last.timestamp
            try await core.read { $0.place(candles, market: market, timeframe: timeframe) }
        }
        return newest
    }

    private func fetch(
        _ symbol: String, _ market: Int, _ timeframe: Timeframe, _ stretch: Range<Double>
    ) async throws -> Int {
        let all = try await history.stretch(
            symbol: symbol, timeframe: timeframe, from: stretch.lowerBound, to: stretch.upperBound)
        // Rows without trades would move the open of what is made of them.
        let candles = all.candles.filter { !$0.isFiller }.map(\.candle)
        let coverage = max(stretch.lowerBound, history.earliest(timeframe))
        return try await core.read {
            $0.join(candles, market: market, timeframe: timeframe, coverage: coverage, now: WallClock.now())
        }
    }
}
