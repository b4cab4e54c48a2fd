import MarketModel

/// What one market has built so far. Lives on the market loop.
struct MarketState {
    /// Final candles kept in memory for each timeframe; older ones come from the store.
    static let memory = 2000

    var aggregator: TickAggregator
    var lastTick: Tick?
    /// When that came in, by the feed's clock.
    var lastTickReceivedAt: Double?
    /// Ticks accepted.
    var ticks = 0
    /// The number of the last change of what the list of markets says of it.
    var changedAt = 0
    /// Messages with candles of the present, of a provider that makes them itself.
    var ownCandles = 0
    /// Best prices and the day, where the venue sends them.
    var quote: MarketQuote?
    /// The newest session, where the venue's reference prices have one.
    var session: SessionDay?
    /// Those that were not accepted.
    var rejections = RejectionCounts()
    /// How its feed supplies it.
    var feed = MarketFeedState.live
    /// Most decimals seen in its prices.
    var decimals = 0
    /// Of which time its candles are all there are.
    var known = KnownPast()
    var revisions = CandleRevisions()
    /// Holds back bad prints, where that is configured.
    var deviation: DeviationFilter?
    /// Whether its past has left the memory: it is in the store, and comes back when a client requests it.
    private(set) var isEvicted = false
    /// Whether its stored past has yet to be read for the first time: there may be more than is in memory.
    var awaitsPast = false
    /// What is left of the past meanwhile.
    private(set) var digest: MarketDigest?
    private var series: [CandleSeries]

    /// The quote, unless trades have gone on without it: then it is not known.
    var currentQuote: MarketQuote? { quote.flatMap { $0.isCurrent(atTrade: lastTick?.timestamp) ? $0 : nil } }

    init(maxDeviation: Double? = nil) {
        deviation = maxDeviation.map { DeviationFilter(maxPercent: $0) }
        aggregator = TickAggregator(timeframes: Timeframe.allCases)
        series = Timeframe.allCases.map { _ in CandleSeries(capacity: Self.memory) }
    }

    /// Whether every candle there ever was of a timeframe is in memory.
    func holdsAll(_ timeframe: Timeframe) -> Bool {
        !isEvicted && !awaitsPast && series[timeframe.index].count < Self.memory
    }

    /// Whether all candles there ever were from `start` on are in memory.
    func holdsAll(_ timeframe: Timeframe, from start: Double) -> Bool {
        holdsAll(timeframe) || !isEvicted && oldest(timeframe).map { $0 <= start } ?? false
    }

    /// Lets go of everything that the store has too; the open bars stay, some 4 KB.
    /// - Parameter minutes: how many of the newest are kept for indicators, 48 bytes each.
    mutating func evict(minutes: Int = 1) {
        digest = MarketDigest(
            halfHours: candles(.m30, limit: 49), sparkline: sparkline, minutes: candles(.m1, limit: minutes))
        series = Timeframe.allCases.map { _ in CandleSeries(capacity: Self.memory) }
        revisions = CandleRevisions()
        isEvicted = true
    }

    /// All that is stored is in place again.
    mutating func restored() {
        digest = nil
        isEvicted = false
    }

    /// 48 half hours; of a market younger than two hours its last 48 minutes, so that there is a line to see.
    var sparkline: [Double] {
        let halfHours = recent(.m30, digest?.halfHours, limit: 48)
        if halfHours.count >= 4 { return halfHours.map(\.close) }
        if let digest { return digest.sparkline }
        let minutes = candles(.m1, limit: 48)
        if minutes.count >= 8 { return minutes.map(\.close) }
        return candles(.s5, limit: 48).map(\.close)
    }

    /// The candles that the last 24 hours are computed from.
    var dayCandles: [Candle] { digest.map { recent(.m30, $0.halfHours, limit: 49) } ?? candles(.m1, limit: 1441) }

    /// The newest minutes, also of a market whose past is not in memory, as far as they are kept.
    func minutes(limit: Int) -> [Candle] { recent(.m1, digest?.minutes, limit: limit) }

    /// What is kept of a past that is not in memory, and what was built since.
    private func recent(_ timeframe: Timeframe, _ kept: [Candle]?, limit: Int) -> [Candle] {
        let built = candles(timeframe, limit: limit)
        guard let kept else { return built }
        let first = built.first?.timestamp ?? .infinity
        return Array((kept.filter { $0.timestamp < first } + built).suffix(limit))
    }

    mutating func place(_ bar: Bar) {
        series[bar.timeframe.index].place(bar.candle)
        if bar.revision > 0 { revisions.note(bar.revision, bar.timeframe, at: bar.candle.timestamp) }
    }

    /// Places stored candles where there are none: what was built meanwhile is newer.
    /// - Parameter candles: ascending.
    /// - Returns: the start of the newest that was missing.
    @discardableResult mutating func placeMissing(_ candles: [Candle], _ timeframe: Timeframe) -> Double? {
        var newest: Double?
        for candle in candles where existing(timeframe, at: candle.timestamp) == nil {
            series[timeframe.index].place(candle)
            newest = candle.timestamp
        }
        return newest
    }

    mutating func place(_ candles: [Candle], _ timeframe: Timeframe) {
        for candle in candles { series[timeframe.index].place(candle) }
    }

    /// The final candle of this bucket, if it is in memory.
    func existing(_ timeframe: Timeframe, at start: Double) -> Candle? {
        let series = series[timeframe.index]
        let index = series.firstIndex(notBefore: start)
        return index < series.count && series.timestamp(at: index) == start ? series[index] : nil
    }

    /// Start of the oldest candle in memory.
    func oldest(_ timeframe: Timeframe) -> Double? { series[timeframe.index].first?.timestamp }

    /// Final candles that start in `from..<to`, ascending.
    func past(_ timeframe: Timeframe, from: Double, to: Double) -> [Candle] {
        let series = series[timeframe.index]
        var index = series.firstIndex(notBefore: from)
        var found: [Candle] = []
        while index < series.count, series.timestamp(at: index) < to {
            found.append(series[index])
            index += 1
        }
        return found
    }

    /// Final candles and the forming one, newest `limit`, ascending.
    func candles(_ timeframe: Timeframe, limit: Int) -> [Candle] {
        let final = series[timeframe.index]
        var forming = aggregator.forming(timeframe)?.candle
        // After a restart the store may hold the bucket's earlier part as final: the live one wins.
        var end = final.count
        if let open = forming, let last = final.last {
            if last.timestamp == open.timestamp { end -= 1 } else if last.timestamp > open.timestamp { forming = nil }
        }
        let wanted = max(0, limit - (forming == nil ? 0 : 1))
        var candles: [Candle] = []
        candles.reserveCapacity(min(wanted, end) + 1)
        for index in max(0, end - wanted)..<end { candles.append(final[index]) }
        if let forming, limit > 0 { candles.append(forming) }
        return candles
    }
}
