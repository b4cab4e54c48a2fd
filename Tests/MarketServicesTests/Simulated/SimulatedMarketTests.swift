import MarketModel
import MarketServices
import TestKit
import Testing

@Suite("Simulated markets", .timeLimit(.minutes(15)))
struct SimulatedMarketTests {
    @Test("twelve pairs with prices, a sparkline and candles that end at the price")
    func generated() async throws {
        let simulation = try Simulation { $0.markets = SimulatedMarket.all }
        let markets = try await simulation.services.markets.fetchMarkets()
        #expect(markets.count == 12 && Set(markets.map(\.symbol)).count == 12)
        #expect(markets.first?.symbol == "BTC-USD" && markets.first?.price == 67_234.50)
        for market in markets {
            #expect(market.sparkline.count == 48)
            let (bid, ask, price) = (try #require(market.bid), try #require(market.ask), try #require(market.price))
            #expect(0 < bid && bid < price && price < ask && ask - bid < price * 0.001, "\(market.symbol)")
            for timeframe in [Timeframe.m1, .m3, .m5, .h1] {
                let candles = try await simulation.services.markets.fetchCandles(
                    symbol: market.symbol, timeframe: timeframe, limit: 20)
                #expect(candles.count == 20 && candles.allSatisfy(\.isWellFormed))
                #expect(zip(candles, candles.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
                #expect(candles.last?.close == market.price)
            }
        }
    }

    @Test("candles come in pages; what there is not is said")
    func pages() async throws {
        let simulation = try Simulation()
        let markets = simulation.services.markets
        let newest = try await markets.fetchCandles(symbol: "ETH-USD", timeframe: .m1, limit: 50)
        let older = try await markets.fetchCandles(
            symbol: "ETH-USD", timeframe: .m1, limit: 50, before: newest[0].timestamp)
        #expect(older.count == 50 && older[49].timestamp == newest[0].timestamp - 60)
        #expect(try await markets.fetchCandles(symbol: "ETH-USD", timeframe: .m1, limit: 5, before: 0).isEmpty)
        #expect(try await markets.fetchMarket(symbol: "ETH-USD").baseCurrency == "ETH")
        let unknown = await serviceError { _ = try await markets.fetchMarket(symbol: "NO-USD") }
        #expect(unknown?.kind == .notFound && unknown?.field == "symbol")
        let many = await serviceError {
            _ = try await markets.fetchCandles(symbol: "ETH-USD", timeframe: .m1, limit: 0)
        }
        #expect(many?.kind == .rejected && many?.field == "limit")
    }

    @Test("every two seconds all markets in one publication")
    func publications() async throws {
        let simulation = try await Simulation.connected { $0.markets = SimulatedMarket.all }
        var updates = simulation.services.markets.marketUpdates.makeAsyncIterator()
        _ = await updates.next()
        for cycle in 1...5 {
            simulation.turn()
            let markets = try #require(await updates.next())
            #expect(markets.count == 12)
            #expect(markets.allSatisfy { $0.timestamp == Simulation.start + 2 * Double(cycle) })
        }
        #expect(updates.missed == 0)
    }

    @Test("a step moves a price by no more than its volatility, either way")
    func walk() async throws {
        let simulation = try await Simulation.connected { $0.markets = SimulatedMarket.all }
        var updates = simulation.services.markets.marketUpdates.makeAsyncIterator()
        var before = try #require(await updates.next())
        var rises = 0
        for _ in 0..<60 {
            simulation.turn()
            let now = try #require(await updates.next())
            for (index, market) in SimulatedMarket.all.enumerated() {
                let (a, b) = (try #require(before[index].price), try #require(now[index].price))
                var unit = 1.0
                for _ in 0..<market.market.precision { unit /= 10 }
                #expect((b - a).magnitude <= a * market.volatility + unit)
                if b > a { rises += 1 }
            }
            before = now
        }
        #expect((250...470).contains(rises))
    }

    @Test("from 67234.50 at 0.08 % the next price lies between 67180.71 and 67288.29")
    func workedExample() {
        var (low, high) = (Double.infinity, 0.0)
        for seed in 0..<20_000 as Range<UInt64> {
            var walk = PriceWalk(price: 67_234.50, volatility: 0.0008)
            var random = SeededGenerator(seed: seed)
            walk.step(seconds: 2, random: &random)
            (low, high) = (min(low, walk.price), max(high, walk.price))
        }
        #expect(low >= 67_180.71 && high <= 67_288.29)
        // The whole range is used.
        #expect(low < 67_180.9 && high > 67_288.1)
    }

    @Test("the figures of 24 hours follow each tick, and roll: what is older leaves them")
    func day() async throws {
        let simulation = try await Simulation.connected { $0.marketInterval = 60 }
        var updates = simulation.services.markets.marketUpdates.makeAsyncIterator()
        _ = await updates.next()
        var opens: Set<Double> = []
        for _ in 0..<30 {
            simulation.clock.advance(by: .seconds(60))
            for market in try #require(await updates.next()) {
                let price = try #require(market.price)
                let (open, high) = (try #require(market.open24h), try #require(market.high24h))
                let (low, volume) = (try #require(market.low24h), try #require(market.volume24h))
                #expect(low <= price && price <= high && low <= open && open <= high && volume > 0)
                #expect(market.change24h == price - open)
                #expect(market.changePercent24h == (price - open) / open * 100)
                if market.symbol == "BTC-USD" { opens.insert(open) }
            }
        }
        #expect(opens.count > 20)
    }

    @Test("no jumps: over a minute a price drifts, mostly by less than twenty of its steps")
    func smooth() {
        var drifts: [Double] = []
        for seed in 0..<500 as Range<UInt64> {
            var walk = PriceWalk(price: 100, volatility: 0.001)
            var random = SeededGenerator(seed: seed)
            for _ in 0..<30 { walk.step(seconds: 2, random: &random) }
            drifts.append(walk.price / 100 - 1)
        }
        // Thirty uniform steps spread by sqrt(30 / 3) = 3.2 of them.
        let spread = (drifts.reduce(0) { $0 + $1 * $1 } / 500).squareRoot()
        #expect((0.0024...0.0040).contains(spread))
        #expect(drifts.allSatisfy { $0.magnitude < 0.02 })
        #expect((drifts.reduce(0, +) / 500).magnitude < 0.0005)
    }

    @Test("fetching takes 200 ms")
    func latency() async throws {
        let simulation = try Simulation { $0.latency = SimulationSettings().latency }
        let task = Task { try await simulation.services.markets.fetchMarkets().count }
        await simulation.clock.waitForSleepers(1)
        // Seconds since 1970 are not exact below a microsecond.
        let wakeUp = try #require(simulation.clock.nextWakeUp?.seconds)
        #expect((0.1999...0.2001).contains(wakeUp))
        simulation.clock.advance(by: .milliseconds(201))
        #expect(try await task.value == 4)
    }

    @Test("other markets, volatilities and intervals are settings")
    func configurable() async throws {
        let simulation = try await Simulation.connected {
            $0.markets = [
                SimulatedMarket(
                    market: Market(symbol: "GOLD-EUR", baseCurrency: "GOLD", quoteCurrency: "EUR", precision: 1),
                    price: 2400, volatility: 0.01, quantityDecimals: 2, usualQuantity: 1, activity: 1)
            ]
            $0.marketInterval = 0.5
            $0.past = .empty
        }
        var updates = simulation.services.markets.marketUpdates.makeAsyncIterator()
        #expect(await updates.next()?.first?.price == 2400)
        simulation.clock.advance(by: .milliseconds(500))
        let market = try #require(await updates.next()?.first)
        #expect(market.symbol == "GOLD-EUR" && market.timestamp == Simulation.start + 0.5)
    }
}
