import MarketFeeds
import MarketModel

/// Gets a market's past from its venue, and puts it in place. Off the market loop, but for the placing.
struct HistoryFetcher: Sendable {
    enum Outcome: Sendable {
        /// So many bars changed; of which time the venue sent everything.
        case joined(Int, covered: Range<Double>)
        /// The venue itself may refuse; else it is worth another try soon.
        case failed(String, isRefusal: Bool)
    }

    let core: MarketCore
    let history: VenueHistory

    func fetch(_ symbol: String, market: Int, _ timeframe: Timeframe, _ stretch: Range<Double>) async -> Outcome {
        do {
            let all = try await history.stretch(
                symbol: symbol, timeframe: timeframe, from: stretch.lowerBound, to: stretch.upperBound)
            // Rows without trades would move the open of what is made of them.
            let candles = all.candles.filter { !$0.isFiller }.map(\.candle)
            // Where the answer leaves open what happened, nothing coarser is made of what it has.
            let changed = try await core.read(withPastOf: market) { pipeline in
                all.known.reduce(0) { count, known in
                    count
                        + pipeline.join(
                            candles.filter { known.contains($0.timestamp) }, market: market, timeframe: timeframe,
                            covered: known, now: WallClock.now())
                }
            }
            return .joined(changed, covered: all.covered)
        } catch {
            let isRefusal = (error as? HistoryError).map { $0.kind == .refused || $0.kind == .usage } ?? false
            return .failed("\(error)", isRefusal: isRefusal)
        }
    }
}
