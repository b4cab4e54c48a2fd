import Consultation
import HistoryStore
import MarketModel
import NIOCore
import Synchronization
import TradingCore

/// Makes the live state that an assistant may cite: markets, paper positions and feeds, each figure with its time.
struct ConsultationSnapshots: Sendable {
    /// Seconds that the markets' part may be old: many answers at once cost the market loop one look.
    private static let freshness = 0.5

    let core: MarketCore
    /// Of the market on screen: its past may have left the memory.
    let candles: CandlesReader
    let trading: TradingGateway
    let feeds: FeedSet
    let access: ConsultationAccess
    private let last = LastMarkets()

    private final class LastMarkets: Sendable {
        let value = Mutex<(time: Double, quotes: [MarketSnapshot.Quote], feeds: [MarketSnapshot.Feed])?>(nil)
    }

    /// The parts of the live state that a type may know; the others are not looked up.
    func snapshot(for request: AnswerRequest, in type: ConsultationType) async -> MarketSnapshot {
        let hasMarkets = type.context.contains(.markets)
        var (quotes, feeds): ([MarketSnapshot.Quote], [MarketSnapshot.Feed]) = ([], [])
        if !type.context.isDisjoint(with: [.markets, .feeds]) {
            let known = await markets()
            if hasMarkets { quotes = known.quotes }
            if type.context.contains(.feeds) { feeds = known.feeds }
        }
        let focus = hasMarkets ? request.screen?.symbol.flatMap { core.registry.find($0) } : nil
        let timeframe = request.screen?.timeframe.flatMap { Timeframe(rawValue: $0) } ?? .m1
        if let focus,
            let place = quotes.firstIndex(where: { $0.symbol == core.registry.markets[focus].symbol }),
            let candles = try? await candles.read(
                CandlesQuery(market: focus, timeframe: timeframe, limit: MarketDigest.studiedMinutes))
        {
            quotes[place].indicators = Self.readings(candles, timeframe.rawValue)
        }
        var holdings: [MarketSnapshot.Holding]? = []
        if type.context.contains(.positions) { holdings = await self.holdings(for: request) }
        return MarketSnapshot(
            time: await time(), quotes: quotes, holdings: holdings, feeds: feeds,
            focus: focus.map { core.registry.markets[$0].symbol }, timeframe: timeframe.rawValue)
    }

    /// By the clock of the feed: a recording's ticks are not old because they were recorded.
    private func time() async -> Double { (try? await trading.run(changes: false) { $0.now }) ?? WallClock.now() }

    // MARK: Markets

    private func markets() async -> (quotes: [MarketSnapshot.Quote], feeds: [MarketSnapshot.Feed]) {
        let now = core.clock()
        if let known = last.value.withLock({ $0 }), now - known.time < Self.freshness {
            return (known.quotes, known.feeds)
        }
        let registry = core.registry
        // Else only of the one on screen.
        let studies = registry.listed.count <= MarketDigest.studiedMarkets
        guard
            let read = try? await core.read({ pipeline in
                (
                    summaries: pipeline.summaries(),
                    candles: studies
                        ? registry.markets.indices.map { pipeline.studiedMinutes(market: $0) } : []
                )
            })
        else { return ([], []) }
        let quotes = read.summaries.map { summary in
            let candles = studies ? read.candles[summary.market] : []
            return Self.quote(summary, registry.markets[summary.market], candles)
        }
        let statuses = (try? await feeds.statuses(core)) ?? []
        let states = zip(feeds.parts, statuses).map { part, status in
            MarketSnapshot.Feed(
                name: status.name, isConnected: ["live", "playing"].contains(status.state),
                lastTradeAt: read.summaries.filter { part.markets.contains($0.market) }.compactMap(\.receivedAt).max())
        }
        last.value.withLock { $0 = (now, quotes, states) }
        return (quotes, states)
    }

    private static func quote(_ summary: MarketSummary, _ market: Market, _ candles: [Candle]) -> MarketSnapshot.Quote {
        MarketSnapshot.Quote(
            symbol: market.symbol, price: summary.lastPrice, tickTime: summary.lastTime,
            receivedAt: summary.receivedAt, precision: max(market.precision, summary.decimals),
            changePercent24h: summary.day?.changePercent,
            high24h: summary.day?.high, low24h: summary.day?.low, indicators: readings(candles, "1m"))
    }

    /// SMA 20 and RSI 14 of the newest candle.
    static func readings(_ candles: [Candle], _ timeframe: String) -> [MarketSnapshot.Reading] {
        guard let newest = candles.last else { return [] }
        var series = CandleSeries(capacity: candles.count)
        for candle in candles { series.place(candle) }
        return [("SMA 20", StudySettings.sma20), ("RSI 14", .rsi14)].compactMap { name, settings in
            var columns = StudyColumns(settings)
            columns.rebuild(series)
            let value = columns.value(output: 0, at: series.count - 1)
            return value.isFinite
                ? MarketSnapshot.Reading(name: "\(name) (\(timeframe))", value: value, time: newest.timestamp) : nil
        }
    }

    // MARK: The past

    /// Candles of markets over the seconds before now.
    func past(_ symbols: [String], _ seconds: Double) async -> [ComparedCandles] {
        let (timeframe, now) = (ComparedCandles.timeframe(seconds), await time())
        var past: [ComparedCandles] = []
        for symbol in symbols {
            guard let market = core.registry.find(symbol) else { continue }
            var query = CandlesQuery(market: market, timeframe: timeframe)
            query.from = now - seconds
            past.append(ComparedCandles(symbol: symbol, candles: (try? await candles.read(query)) ?? []))
        }
        return past
    }

    // MARK: Positions

    /// - Returns: `nil` where they are not the user's business.
    private func holdings(for request: AnswerRequest) async -> [MarketSnapshot.Holding]? {
        guard access.showsAccounts(inConversationsOf: request.user) else { return nil }
        guard let account = try? AccountID<Paper>(request.screen?.account ?? TradingDesk.defaultAccount),
            let positions = try? await trading.run(
                changes: false, { desk in try desk.account(account).exchange.positions() })
        else { return [] }
        return positions.map { position in
            MarketSnapshot.Holding(
                symbol: position.symbol, side: position.side, quantity: position.size, entryPrice: position.entryPrice,
                unrealizedProfit: position.unrealizedPnL, currency: position.currency)
        }
    }
}
