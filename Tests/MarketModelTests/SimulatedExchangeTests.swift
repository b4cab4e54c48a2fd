import MarketModel
import TestKit
import Testing

@Suite("Simulated exchange")
struct SimulatedExchangeTests {
    static func trades(seed: UInt64, rate: Double = 24, count: Int = 5000) -> [SimulatedExchange.Trade] {
        var exchange = SimulatedExchange(
            markets: SimulatedMarket.all, prices: SimulatedMarket.all.map(\.price), seed: seed, rate: rate)
        return (0..<count).map { _ in exchange.trade(timestamp: 1_700_000_000 + exchange.nextDue) }
    }

    @Test("twelve pairs; Bitcoin is the calmest at 0.08 %, the liveliest has 0.15 %")
    func markets() {
        #expect(SimulatedMarket.all.count == 12)
        #expect(Set(SimulatedMarket.all.map(\.market.symbol)).count == 12)
        #expect(SimulatedMarket.named("BTC-USD")?.volatility == 0.0008)
        #expect(SimulatedMarket.named("BTC-USD")?.price == 67_234.50)
        #expect(SimulatedMarket.all.map(\.volatility).min() == 0.0008)
        #expect(SimulatedMarket.all.map(\.volatility).max() == 0.0015)
    }

    @Test("thousands of markets have names, prices and quantities of their own, and all trade")
    func thousands() {
        let markets = SimulatedMarket.first(SimulatedMarket.most)
        #expect(markets.count == 10_000 && Array(markets[..<12]) == SimulatedMarket.all)
        #expect(Set(markets.map(\.market.symbol)).count == 10_000)
        #expect(SimulatedMarket.first(3) == Array(SimulatedMarket.all[..<3]))
        for market in [markets[12], markets[500], markets[9_999]] {
            #expect(SimulatedMarket.named(market.market.symbol) == market)
        }
        for name in ["SIM", "SIM12-USD", "SIM10001-USD", "SIM013-USD", "SIM13", "SIM13-USDT", "MIS13-USD"] {
            #expect(SimulatedMarket.named(name) == nil, "\(name)")
        }
        var exchange = SimulatedExchange(markets: markets, prices: markets.map(\.price), seed: 1, rate: 10_000)
        var validator = TickValidator()
        var traded = Set<Int>()
        for _ in 0..<150_000 {
            let trade = exchange.trade(timestamp: 1_700_000_000 + exchange.nextDue)
            _ = validator.check(trade.tick, now: trade.tick.timestamp)
            traded.insert(trade.market)
        }
        #expect(traded.count == 10_000 && validator.accepted == 150_000)
    }

    @Test("the same seed trades the same, another one does not")
    func seeded() {
        #expect(Self.trades(seed: 7) == Self.trades(seed: 7))
        #expect(Self.trades(seed: 7) != Self.trades(seed: 8))
    }

    @Test("within two seconds a price moves by no more than its volatility", arguments: [0.5, 24, 400.0])
    func bounded(rate: Double) {
        for (index, market) in SimulatedMarket.all.enumerated() {
            let ticks = Self.trades(seed: 3, rate: rate).filter { $0.market == index }.map(\.tick)
            for (a, b) in zip(ticks, ticks.dropFirst()) {
                // Half a unit of the last decimal on either side is rounding.
                let rounding = [1, 0.1, 0.01, 0.001, 0.0001, 0.00001][market.market.precision]
                #expect((b.price - a.price).magnitude <= a.price * market.volatility + rounding)
            }
        }
    }

    @Test("every trade passes validation, rates are met on average, and each market trades")
    func believable() {
        let trades = Self.trades(seed: 11, rate: 100, count: 20_000)
        var validator = TickValidator()
        for trade in trades { #expect(validator.check(trade.tick, now: trade.tick.timestamp) == nil) }
        let seconds = trades.last!.tick.timestamp - trades[0].tick.timestamp
        #expect((80...125).contains(Double(trades.count) / seconds))
        #expect(Set(trades.map(\.market)).count == 12)
        #expect(trades.allSatisfy { $0.tick.volume > 0 })
        // Irregular: gaps shorter than a fifth of the mean and longer than three times of it both occur.
        let gaps = zip(trades, trades.dropFirst()).map { $1.tick.timestamp - $0.tick.timestamp }
        #expect(gaps.contains { $0 < 0.002 })
        #expect(gaps.contains { $0 > 0.03 })
    }

    @Test("what cannot be carried is given up, not piled up")
    func skips() {
        var exchange = SimulatedExchange(
            markets: SimulatedMarket.all, prices: SimulatedMarket.all.map(\.price), seed: 1, rate: 1000)
        exchange.skip(to: 60)
        #expect(exchange.nextDue == 60)
        _ = exchange.trade(timestamp: 1)
        #expect(exchange.nextDue > 60)
        exchange.skip(to: 1)
        #expect(exchange.nextDue > 60)
    }

    @Test("history fills a chart of every timeframe, ends at the market's price, and its timeframes agree")
    func history() {
        let market = SimulatedMarket.all[0]
        let now = 1_763_000_000.7
        let history = SimulatedHistory.make(for: market, now: now, seed: 42, tradesPerSecond: 4)
        #expect(history.end == 1_763_000_000)
        let candles = Dictionary(uniqueKeysWithValues: history.candles.map { ($0.timeframe, $0.candles) })
        for timeframe in Timeframe.allCases where timeframe.index <= Timeframe.d1.index {
            #expect(candles[timeframe]!.count >= 300, "\(timeframe)")
        }
        for (timeframe, candles) in candles {
            #expect(candles.allSatisfy { $0.isWellFormed })
            #expect(candles.allSatisfy { timeframe.bucketStart(of: $0.timestamp) == $0.timestamp })
            #expect(
                zip(candles, candles.dropFirst()).allSatisfy {
                    timeframe.bucketEnd(ofBucketAt: $0.timestamp) == $1.timestamp
                }, "no bucket is missing in \(timeframe)")
        }
        #expect((history.price - market.price).magnitude < market.price * 0.02)
        // Hours rolled from the minutes where both exist.
        let hours = candles[.h1]!.suffix(24)
        for hour in hours.dropLast() {
            let minutes = candles[.m1]!.filter {
                $0.timestamp >= hour.timestamp && $0.timestamp < hour.timestamp + 3600
            }
            #expect(minutes.count == 60)
            #expect(minutes.map(\.high).max() == hour.high)
            #expect(minutes.first?.open == hour.open)
            #expect(minutes.last?.close == hour.close)
        }
    }

    @Test(
        "a history that is continued has no hole and no overlap, as fine as it reaches back",
        arguments: [(5.0, Timeframe.s1), (3000.0, .s1), (400_000.0, .m1), (7_776_000.0, .h1)])
    func continued(pause: Double, finest: Timeframe) {
        let market = SimulatedMarket.all[1]
        let stop = 1_763_000_123.0
        // The open minute began three seconds before the stop.
        let known = Candle(timestamp: stop - 1, open: 3000, high: 3010, low: 2990, close: 3005, volume: 1)
        let past = SimulatedHistory.Past(
            candles: [Bar(timeframe: .s1, candle: known, isFinal: true, revision: 0, quality: .complete)],
            end: stop, price: 3005)
        let history = SimulatedHistory.make(
            for: market, past: past, now: stop + pause, seed: 1, tradesPerSecond: 2)
        #expect(history.end == stop + pause)
        for (timeframe, candles) in history.candles where timeframe.index >= finest.index {
            let open = history.forming.first { $0.timeframe == timeframe }?.candle
            let all = candles + (open.map { [$0] } ?? [])
            // The first bucket is the one in which the pause began, or, for seconds, the next one.
            #expect(all[0].timestamp == timeframe.bucketStart(of: stop), "\(timeframe)")
            if timeframe != .s1 { #expect(all[0].open == 3000, "\(timeframe) keeps what was known") }
            for (a, b) in zip(all, all.dropFirst()) {
                #expect(timeframe.bucketEnd(ofBucketAt: a.timestamp) == b.timestamp, "\(timeframe)")
            }
            let end = timeframe.bucketEnd(ofBucketAt: all.last!.timestamp)
            #expect(end >= stop + pause && all.last!.timestamp < stop + pause, "\(timeframe)")
        }
    }

    @Test("a history made in parts has every bucket once, and its coarse candles are those of the fine ones")
    func parts() throws {
        let market = SimulatedMarket.all[1]
        // Two minutes before a Monday that begins a month: every open bucket of the first part ends in a later one.
        let start = 1_764_547_200.0 - 120
        var past: SimulatedHistory.Past?
        var whole = SimulatedHistory.make(for: market, now: start, seed: 3, tradesPerSecond: 2)
        for step in [0.0, 1, 58, 1, 59, 1, 0, 4000] {
            let known = whole.past(after: past)
            let next = SimulatedHistory.make(
                for: market, past: known, now: whole.end + step, seed: 3, tradesPerSecond: 2)
            whole.append(next)
            past = known
        }
        #expect(whole.end == start + 4120)
        let candles = Dictionary(uniqueKeysWithValues: whole.candles.map { ($0.timeframe, $0.candles) })
        for timeframe in Timeframe.allCases {
            let all = try #require(candles[timeframe])
            for (a, b) in zip(all, all.dropFirst()) {
                #expect(timeframe.bucketEnd(ofBucketAt: a.timestamp) == b.timestamp, "\(timeframe)")
            }
            let last = try #require(all.last).timestamp
            let open = whole.forming.first { $0.timeframe == timeframe }?.candle.timestamp
            #expect(open ?? whole.end == timeframe.bucketEnd(ofBucketAt: last), "\(timeframe)")
        }
        for (coarse, fine) in [(Timeframe.m1, Timeframe.s1), (.h1, .m1), (.d1, .h1), (.w1, .d1)] {
            for candle in try #require(candles[coarse]).suffix(3) {
                let end = coarse.bucketEnd(ofBucketAt: candle.timestamp)
                let parts = try #require(candles[fine]).filter { (candle.timestamp..<end).contains($0.timestamp) }
                guard parts.first?.timestamp == candle.timestamp else { continue }
                #expect(parts.first?.open == candle.open && parts.last?.close == candle.close, "\(coarse)")
                #expect(parts.map(\.high).max() == candle.high && parts.map(\.low).min() == candle.low, "\(coarse)")
            }
        }
    }
}
