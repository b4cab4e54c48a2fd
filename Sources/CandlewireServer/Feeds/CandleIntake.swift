import MarketFeeds
import MarketModel

/// Takes a feed's own candles. Closed ones take the place of ours, as fetched history does; of a market that sends no trades
/// the running ones make the prices.
///
/// Confined to the market loop.
final class CandleIntake {
    private let pipeline: MarketPipeline
    private let base: Int
    /// For each market, what makes ticks of its candles; `nil` once it has traded.
    private var makers: [CandleTicks?]

    /// Seconds that the feed's clock may be ahead of ours, as with ticks.
    private static let ahead = 5.0
    /// Seconds after its end in which a candle still tells a price of the present.
    private static let fresh = 60.0

    /// - Parameter base: the number of the feed's first market.
    init(_ pipeline: MarketPipeline, base: Int, count: Int) {
        self.pipeline = pipeline
        self.base = base
        makers = Array(repeating: CandleTicks(), count: count)
    }

    /// A market has trades: its candles make no more prices, or each would count twice.
    func traded(_ market: Int) {
        if makers[market - base] != nil { makers[market - base] = nil }
    }

    /// - Parameters:
    ///   - closed: will change no more. What lies between two of them, nobody says: a snapshot may leave out quiet
    ///     intervals, or hold a time that makes no sense.
    ///   - open: still run.
    ///   - market: the number of a symbol's market; `nil`: none of ours.
    func take(closed: [VenueCandle], open: [VenueCandle], now: Double, market: (String) -> Int?) {
        for told in closed { price(told, now, market) }
        var at = 0
        while at < closed.count {
            let first = closed[at]
            let end =
                closed[at...].firstIndex { $0.symbol != first.symbol || $0.seconds != first.seconds } ?? closed.count
            if let number = market(first.symbol), let timeframe = Self.timeframe(first) {
                join(closed[at..<end].map(\.candle), timeframe, number, now)
            }
            at = end
        }
        for told in open { price(told, now, market) }
    }

    private func price(_ told: VenueCandle, _ now: Double, _ market: (String) -> Int?) {
        guard let number = market(told.symbol), makers[number - base] != nil, let timeframe = Self.timeframe(told),
            timeframe.bucketEnd(ofBucketAt: told.candle.timestamp) > now - Self.fresh
        else { return }
        for price in [told.candle.open, told.candle.high, told.candle.low, told.candle.close] {
            pipeline.noteDecimals(Self.decimals(of: price), ofMarket: number)
        }
        makers[number - base]?.take(told, timeframe: timeframe, now: now) { [pipeline] tick in
            pipeline.ingest(market: number, tick, now: now)
        }
    }

    private func join(_ candles: [Candle], _ timeframe: Timeframe, _ market: Int, _ now: Double) {
        let sorted = candles.sorted { $0.timestamp < $1.timestamp }
        guard let last = sorted.last, timeframe.bucketEnd(ofBucketAt: last.timestamp) <= now + Self.ahead else {
            return
        }
        var at = 0
        while at < sorted.count {
            let start = sorted[at].timestamp
            var end = start
            var run: [Candle] = []
            while at < sorted.count, sorted[at].timestamp <= end {
                end = timeframe.bucketEnd(ofBucketAt: sorted[at].timestamp)
                if !isFiller(sorted[at], market) { run.append(sorted[at]) }
                at += 1
            }
            // No candle lies between its bucket's end and its start, whatever the time: else this would never end.
            guard start < end else { return }
            _ = pipeline.join(run, market: market, timeframe: timeframe, covered: start..<end, now: max(now, end))
        }
    }

    /// Whether a row only repeats a price, of a market whose trades we see: rolled up, it would move the open of what is
    /// made of it.
    private func isFiller(_ candle: Candle, _ market: Int) -> Bool {
        makers[market - base] == nil && candle.volume == 0 && candle.high == candle.low
    }

    /// Digits behind the point that the price was written with, as far as that can be told of the number: up to eight.
    private static func decimals(of price: Double) -> Int {
        var factor = 1.0
        for count in 0..<8 {
            if (price * factor).rounded() / factor == price { return count }
            factor *= 10
        }
        return 8
    }

    private static func timeframe(_ told: VenueCandle) -> Timeframe? {
        Timeframe.allCases.first { Int($0.seconds) == told.seconds }
    }
}
