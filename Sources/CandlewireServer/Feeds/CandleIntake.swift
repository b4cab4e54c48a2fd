import HistoryStore
import MarketFeeds
import MarketModel

/// Accepts a feed's own candles.
///
/// Of a venue whose trades we follow, a closed one stands where ours has a gap, and is compared where ours has none. Of a
/// provider that may send no trades, closed ones replace ours, as fetched history does, and the running ones make
/// the prices until there is a trade. While a market's stored past is being read, its closed candles wait: what is stored
/// would count as missing, and their revisions would begin again.
///
/// Confined to the market loop.
final class CandleIntake {
    enum Use { case besideTrades, inPlaceOfTrades }

    private let pipeline: MarketPipeline
    private let base: Int
    private let use: Use
    private(set) var check = CandleCheck()
    /// For each market, what makes ticks of its candles; `nil` once it has traded.
    private var makers: [CandleTicks?]
    private struct Batch {
        var timeframe: Timeframe
        var candles: [Candle]
    }
    private struct Waiting {
        var batches: [Batch] = []
        var count = 0
    }
    /// By market, what waits for the stored past.
    private var held: [Int: Waiting] = [:]
    /// Candles that found no room to wait: as many have it as are kept in memory.
    private(set) var dropped = 0

    /// Seconds that the feed's clock may be ahead of ours, as with ticks.
    private static let ahead = 5.0
    /// Seconds after its end in which a candle still has a price of the present.
    private static let fresh = 60.0

    /// - Parameter base: the number of the feed's first market.
    init(_ pipeline: MarketPipeline, base: Int, count: Int, use: Use) {
        self.pipeline = pipeline
        self.base = base
        self.use = use
        makers = Array(repeating: use == .inPlaceOfTrades ? CandleTicks() : nil, count: count)
    }

    /// A market has trades: its candles make no more prices, or each would count twice.
    func traded(_ market: Int) { if makers[market - base] != nil { makers[market - base] = nil } }

    /// A market's stored past is being read.
    func hold(_ market: Int) { held[market] = Waiting() }

    func isHolding(_ market: Int) -> Bool { held[market] != nil }

    /// It is in memory.
    func loaded(_ market: Int, now: Double) {
        for batch in held.removeValue(forKey: market)?.batches ?? [] {
            accept(batch.candles, batch.timeframe, market, now)
        }
    }

    /// - Parameters:
    ///   - closed: will change no more. What lies between two of them is not known: a snapshot may leave out quiet
    ///     intervals, or hold a time that makes no sense.
    ///   - open: still run.
    ///   - market: the number of a symbol's market; `nil`: none of ours.
    func accept(closed: [VenueCandle], open: [VenueCandle], now: Double, market: (String) -> Int?) {
        if use == .besideTrades { review(now) }
        for candle in closed { price(candle, now, market) }
        var at = 0
        while at < closed.count {
            let first = closed[at]
            let end =
                closed[at...].firstIndex { $0.symbol != first.symbol || $0.seconds != first.seconds } ?? closed.count
            if let number = market(first.symbol), let timeframe = Self.timeframe(first) {
                accept(closed[at..<end].map(\.candle), timeframe, number, now)
            }
            at = end
        }
        for candle in open { price(candle, now, market) }
    }

    private func accept(_ candles: [Candle], _ timeframe: Timeframe, _ market: Int, _ now: Double) {
        if use == .inPlaceOfTrades, candles.contains(where: { isOfPresent($0, timeframe, now) }) {
            pipeline.markets[market].ownCandles += 1
        }
        guard held[market] == nil else { return keep(candles, timeframe, market) }
        guard use == .besideTrades else { return join(candles, timeframe, market, now) }
        // Once for all of them: a snapshot is hundreds of candles.
        let known = pipeline.known(timeframe, market: market)
        var unknown: [Candle] = []
        for candle in candles
        where candle.isWellFormed && timeframe.bucketEnd(ofBucketAt: candle.timestamp) <= now + Self.ahead {
            if !known.covers(candle.timestamp..<timeframe.bucketEnd(ofBucketAt: candle.timestamp)) {
                unknown.append(candle)
            } else if pipeline.isOwn(timeframe, at: candle.timestamp, market: market) {
                check.add(candle, timeframe, market: market)
            }
        }
        if !unknown.isEmpty { join(unknown, timeframe, market, now) }
    }

    /// Until the past is in memory.
    private func keep(_ candles: [Candle], _ timeframe: Timeframe, _ market: Int) {
        let room = MarketState.memory - (held[market]?.count ?? 0)
        let kept = candles.prefix(max(0, room))
        dropped += candles.count - kept.count
        guard !kept.isEmpty else { return }
        held[market]?.count += kept.count
        // A provider may send each in a message of its own.
        if let last = held[market]?.batches.indices.last, held[market]?.batches[last].timeframe == timeframe {
            held[market]?.batches[last].candles += kept
        } else {
            held[market]?.batches.append(Batch(timeframe: timeframe, candles: Array(kept)))
        }
    }

    /// The past has left the memory: it is to come back for these.
    private func waitForPast(_ candles: [Candle], _ timeframe: Timeframe, _ market: Int) {
        if held[market] == nil {
            hold(market)
            pipeline.onceRestored(market) { [weak self] in self?.loaded(market, now: WallClock.now()) }
        }
        keep(candles, timeframe, market)
    }

    /// Whether a candle still has a price of the present.
    private func isOfPresent(_ candle: Candle, _ timeframe: Timeframe, _ now: Double) -> Bool {
        timeframe.bucketEnd(ofBucketAt: candle.timestamp) > now - Self.fresh
    }

    /// Compares what has waited long enough; where a gap was seen meanwhile, the venue's candle is put in place.
    private func review(_ now: Double) {
        for one in check.due(now: now) {
            let start = one.candle.timestamp
            // Ours is in the store: of a market that did not trade there is nothing worth fetching it for.
            if pipeline.isEvicted(one.market) { continue }
            if !pipeline.knows(one.timeframe, at: start, market: one.market) {
                join([one.candle], one.timeframe, one.market, now)
            } else if pipeline.isOwn(one.timeframe, at: start, market: one.market) {
                check.compare(one.candle, with: pipeline.candle(one.timeframe, at: start, market: one.market))
            }
        }
    }

    private func price(_ received: VenueCandle, _ now: Double, _ market: (String) -> Int?) {
        guard let number = market(received.symbol), makers[number - base] != nil,
            let timeframe = Self.timeframe(received),
            isOfPresent(received.candle, timeframe, now)
        else { return }
        for price in [received.candle.open, received.candle.high, received.candle.low, received.candle.close] {
            pipeline.noteDecimals(min(price.decimals, 8), ofMarket: number)
        }
        makers[number - base]?.accept(received, timeframe: timeframe, now: now) { [pipeline] tick in
            pipeline.ingest(market: number, tick, now: now)
        }
    }

    private func join(_ candles: [Candle], _ timeframe: Timeframe, _ market: Int, _ now: Double) {
        guard !pipeline.isEvicted(market) else { return waitForPast(candles, timeframe, market) }
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

    private static func timeframe(_ received: VenueCandle) -> Timeframe? {
        Timeframe.allCases.first { Int($0.seconds) == received.seconds }
    }
}
