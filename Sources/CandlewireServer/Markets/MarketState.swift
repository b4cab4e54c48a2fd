import MarketModel

/// What one market has built so far. Lives on the market loop.
struct MarketState {
    /// Final candles kept in memory for each timeframe; older ones come from the store.
    static let memory = 2000

    var aggregator: TickAggregator
    var lastTick: Tick?
    /// Ticks taken.
    var ticks = 0
    /// Best prices and the day, where the venue tells them.
    var quote: MarketQuote?
    /// Quotes taken.
    var quotes = 0
    /// Those that were not taken.
    var rejections = RejectionCounts()
    /// How its feed supplies it.
    var feed = MarketFeedState.live
    /// Most decimals seen in its prices.
    var decimals = 0
    /// Of which time its candles are all there are.
    var known = KnownPast()
    var revisions = CandleRevisions()
    private var series: [CandleSeries]

    init() {
        aggregator = TickAggregator(timeframes: Timeframe.allCases)
        series = Timeframe.allCases.map { _ in CandleSeries(capacity: Self.memory) }
    }

    /// Whether every candle there ever was of a timeframe is in memory.
    func holdsAll(_ timeframe: Timeframe) -> Bool { series[timeframe.index].count < Self.memory }

    mutating func place(_ bar: Bar) {
        series[bar.timeframe.index].place(bar.candle)
        if bar.revision > 0 { revisions.note(bar.revision, bar.timeframe, at: bar.candle.timestamp) }
    }

    /// Places stored candles where there are none: what was built meanwhile is newer.
    mutating func placeMissing(_ candles: [Candle], _ timeframe: Timeframe) {
        for candle in candles where existing(timeframe, at: candle.timestamp) == nil {
            series[timeframe.index].place(candle)
        }
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
