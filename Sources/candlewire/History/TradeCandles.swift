import MarketModel

/// Joins the trades of a file to candles of one timeframe.
///
/// The first and the last candle are `partial`: the file may begin and end in the midst of them.
struct TradeCandles {
    typealias Made = (candle: Candle, quality: CandleQuality)

    /// Seconds that a trade may be behind the newest before it.
    static let lateness = 3600.0

    private var aggregator: TickAggregator
    private var first: Candle?

    init(timeframe: Timeframe) {
        aggregator = TickAggregator(timeframes: [timeframe], lateness: Self.lateness)
    }

    /// - Returns: why the trade was left out.
    mutating func add(_ trade: Tick, into candles: inout [Made]) -> String? {
        var done: [Candle] = []
        let outcome = aggregator.ingest(trade) { done.append($0.candle) }
        for candle in done {
            candles.append((candle, .complete))
            if candle.timestamp <= first?.timestamp ?? .infinity { first = candle }
        }
        guard case .rejected(let reason) = outcome else { return nil }
        return reason == .late
            ? "the trade is more than an hour older than one before it; sort the file by time" : "\(reason)"
    }

    mutating func finish(into candles: inout [Made]) {
        // Of several with one time the last counts.
        if let first { candles.append((first, .partial)) }
        for timeframe in aggregator.timeframes {
            if let forming = aggregator.forming(timeframe) { candles.append((forming.candle, .partial)) }
        }
    }
}
