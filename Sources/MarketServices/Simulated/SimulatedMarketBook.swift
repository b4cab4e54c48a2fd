internal import Foundation
internal import MarketModel
internal import TradingCore

/// One simulated market: its walk, and the candles it has made.
struct SimulatedMarketBook: Sendable {
    let market: SimulatedMarket
    private let maxLeverage: Int
    private(set) var last: Tick
    private var walk: PriceWalk
    private var random: SeededGenerator
    private var aggregator = TickAggregator(timeframes: Timeframe.allCases)
    private var series: [CandleSeries]
    /// The last 24 hours up to the minute under way, which is looked at with each trade; the others once a minute.
    private var day: DayStatistics?
    private var minute = -Double.infinity

    /// Candles kept of each timeframe: more than a day of minutes, which the figures of 24 hours need.
    private static let memory = 2000

    init(_ market: SimulatedMarket, _ settings: SimulationSettings, now: Double) {
        self.market = market
        maxLeverage = settings.paper.maxLeverage
        let past = SimulatedHistory.make(
            for: market, now: now, depth: max(86_400, settings.historyDepth), finest: settings.finestHistory,
            seed: settings.seed,
            tradesPerSecond: 1 / max(0.001, settings.marketInterval))
        walk = PriceWalk(price: past.price, volatility: market.volatility)
        random = SeededGenerator(seed: settings.seed &+ FNV1a(market.market.symbol.utf8).value)
        last = Tick(timestamp: past.end, price: past.price, volume: 0)
        series = Timeframe.allCases.map { _ in CandleSeries(capacity: Self.memory) }
        for (timeframe, candles) in past.candles {
            for candle in candles.suffix(Self.memory) { series[timeframe.index].place(candle) }
        }
        for (timeframe, candle) in past.forming {
            series[timeframe.index].place(candle)
            aggregator.seed(timeframe, with: candle)
        }
        review(past.end)
    }

    /// Trades once.
    mutating func trade(after seconds: Double, time: Double) {
        last = market.trade(after: seconds, timestamp: time, walk: &walk, random: &random)
        _ = aggregator.ingest(last) { series[$0.timeframe.index].place($0.candle) }
        for timeframe in Timeframe.allCases {
            if let bar = aggregator.forming(timeframe) { series[timeframe.index].place(bar.candle) }
        }
        review(time)
    }

    /// Adds up the finished minutes of the day, where another one has begun.
    private mutating func review(_ time: Double) {
        let start = Timeframe.m1.bucketStart(of: time)
        guard start != minute else { return }
        minute = start
        day = DayStatistics(minutes: candles(.m1, limit: 1441, before: start), now: time)
    }

    /// The newest candles, ascending.
    func candles(_ timeframe: Timeframe, limit: Int, before: Double? = nil) -> [Candle] {
        let all = series[timeframe.index]
        let end = before.map { all.firstIndex(notBefore: $0) } ?? all.count
        return (max(0, end - max(0, limit))..<end).map { all[$0] }
    }

    /// The best prices: a hundredth of a percent apart around the last trade, and at least two of the last decimal.
    private var quote: (bid: Double?, ask: Double) {
        let decimals = market.market.precision
        let half = max(last.price * 0.00005, pow(10, -Double(decimals)))
        let bid = (last.price - half).rounded(decimals: decimals)
        return (bid > 0 ? bid : nil, (last.price + half).rounded(decimals: decimals))
    }

    var info: MarketInfo {
        var day = day
        if let open = series[Timeframe.m1.index].last, open.timestamp >= minute { day?.add(open) }
        return MarketInfo(
            market.market, price: last.price, timestamp: last.timestamp, bid: quote.bid, ask: quote.ask,
            day: day, sparkline: candles(.m30, limit: 48).map(\.close), maxLeverage: maxLeverage)
    }
}
