import MarketModel

/// How often each final candle of a market was corrected: one that replaces it must say a higher number, or the store keeps
/// what it has.
struct CandleRevisions: Sendable {
    /// More than this of one timeframe are thinned out.
    private static let limit = 2 * MarketState.memory

    private var numbers: [[Double: Int]] = Timeframe.allCases.map { _ in [:] }

    mutating func note(_ revision: Int, _ timeframe: Timeframe, at start: Double) {
        guard revision > numbers[timeframe.index][start] ?? 0 else { return }
        numbers[timeframe.index][start] = revision
        guard numbers[timeframe.index].count > Self.limit else { return }
        // Candles this old are in no memory any more, and nobody corrects them.
        let oldest = numbers[timeframe.index].keys.sorted()[Self.limit / 2]
        numbers[timeframe.index] = numbers[timeframe.index].filter { $0.key >= oldest }
    }

    /// The number of a candle's next correction.
    mutating func next(_ timeframe: Timeframe, at start: Double) -> Int {
        let revision = (numbers[timeframe.index][start] ?? 0) + 1
        note(revision, timeframe, at: start)
        return revision
    }
}
