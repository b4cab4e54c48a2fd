import MarketModel
import MarketServices
import TestKit
import Testing
import TradingCore

@Suite("Simulated trading", .timeLimit(.minutes(15)))
struct SimulatedTradingTests {
    @Test("three positions and six orders to begin with")
    func past() async throws {
        let simulation = try Simulation()
        let trading = simulation.services.trading
        let positions = try await trading.fetchPositions()
        #expect(positions.map(\.symbol) == ["BTC-USD", "ETH-USD", "SOL-USD"])
        #expect(positions.map(\.side) == [.long, .short, .long])
        let orders = try await trading.fetchOrders()
        #expect(orders.count == 6)
        #expect(try await trading.fetchOrders(OrderFilter(status: .active)).count == 2)
        let all = try await trading.fetchOrders()
        let older = try await trading.fetchOrders(OrderFilter(limit: 2, before: "\(all[1].id)"))
        #expect(older.map(\.id) == all[2...3].map(\.id), "paging back")
        #expect(try await trading.fetchOrders(OrderFilter(status: .exactly(.cancelled))).count == 1)
        #expect(try await trading.fetchFills().count == 3)
    }

    @Test("the worked figures come out of the services to the cent")
    func workedFigures() async throws {
        let positions = try await Simulation().services.trading.fetchPositions()
        let bitcoin = try #require(positions.first { $0.symbol == "BTC-USD" })
        #expect(bitcoin.unrealizedPnL == ExactDecimal("111.725"))
        #expect(try bitcoin.marginPercent.rounded(decimals: 2, rounding: .halfUp) == ExactDecimal("17.19"))
        #expect(try bitcoin.pricePercent.rounded(decimals: 2, rounding: .halfUp) == ExactDecimal("3.44"))
        let ether = try #require(positions.first { $0.symbol == "ETH-USD" })
        #expect(ether.unrealizedPnL == ExactDecimal("21.61"))
    }

    @Test("one chain a cycle: markets, positions at those prices, portfolio of those")
    func chain() async throws {
        let simulation = try await Simulation.connected()
        let services = simulation.services
        var markets = services.markets.marketUpdates.makeAsyncIterator()
        var positions = services.trading.positionUpdates.makeAsyncIterator()
        var portfolios = services.portfolio.portfolioUpdates.makeAsyncIterator()
        _ = (await markets.next(), await positions.next(), await portfolios.next())
        for cycle in 1...30 {
            simulation.turn()
            let prices = try #require(await markets.next())
            let held = try #require(await positions.next())
            let portfolio = try #require(await portfolios.next()?.first)
            #expect(held.count >= 3)
            var sum = ExactDecimal.zero
            for position in held {
                let price = try #require(prices.first { $0.symbol == position.symbol }?.price)
                #expect(position.markPrice == ExactDecimal(nearest: price))
                sum = try sum + position.unrealizedPnL
            }
            #expect(portfolio.unrealizedPnL == sum)
            #expect(portfolio.lastUpdated == Simulation.start + 2 * Double(cycle))
            #expect(
                try portfolio.equity == portfolio.initialCapital + portfolio.realizedPnL - portfolio.fees + sum)
        }
    }

    @Test("a market order is filled at once, a position is there, and both streams say so")
    func marketOrder() async throws {
        let simulation = try await Simulation.connected { $0.past = .empty }
        let trading = simulation.services.trading
        var orders = trading.orderUpdates.makeAsyncIterator()
        var fills = trading.fillUpdates.makeAsyncIterator()
        var positions = trading.positionUpdates.makeAsyncIterator()
        #expect(await orders.next() == .snapshot([], missed: 0))
        #expect(await fills.next() == .snapshot([], missed: 0))
        #expect(await positions.next() == [])

        let order = try await trading.place(.market("one", .buy, 1))
        #expect(order.status == .filled && order.averageFillPrice == ExactDecimal("67234.5"))
        guard case .changed(let new) = await orders.next(), case .changed(let done) = await orders.next(),
            case .changed(let fill) = await fills.next()
        else {
            Issue.record("no changes")
            return
        }
        #expect(new.id == order.id && new.status == .new && done == order)
        #expect(fill.orderID == order.id && fill.quantity == 1 && fill.receipt.model == "random")
        let held = try #require(await positions.next()?.first)
        #expect(held.symbol == "BTC-USD" && held.size == 1 && held.side == .long && held.leverage == 5)
    }

    @Test("a limit order waits; every ten seconds it is filled with a chance of 30 %, whatever its price")
    func limitOrders() async throws {
        let simulation = try await Simulation.connected {
            $0.past = .empty
            $0.paper.initialCapital = [Money(1_000_000_000, "USD")]
        }
        let trading = simulation.services.trading
        for number in 0..<300 {
            // Far below the market: a price would not fill it for years.
            let order = try await trading.place(.limit("l\(number)", .buy, 1, at: 1000))
            #expect(order.status == .new)
        }
        func waiting() async throws -> Int {
            try await trading.fetchOrders(OrderFilter(status: .active, limit: 1000)).count
        }
        simulation.clock.advance(by: .seconds(9))
        #expect(try await waiting() == 300)
        simulation.clock.advance(by: .seconds(1))
        let first = try await waiting()
        // 210 on average, with a standard deviation of 8.
        #expect((170...250).contains(first))
        simulation.clock.advance(by: .seconds(10))
        let second = try await waiting()
        #expect((Int(Double(first) * 0.55)...Int(Double(first) * 0.85)).contains(second))
        simulation.clock.advance(by: .seconds(200))
        #expect(try await waiting() < 5)
        #expect(try await trading.fetchPositions().first?.entryPrice == 1000)
    }

    @Test("a cancelled order is no longer active, and the stream says so")
    func cancel() async throws {
        let simulation = try await Simulation.connected { $0.past = .empty }
        let trading = simulation.services.trading
        let order = try await trading.place(.limit("a", .buy, 1, at: 60_000))
        var updates = trading.orderUpdates.makeAsyncIterator()
        #expect(await updates.next() == .snapshot([order], missed: 0))
        let cancelled = try await trading.cancel(order.id)
        #expect(cancelled.status == .cancelled)
        #expect(await updates.next() == .changed(cancelled))
        #expect(try await trading.fetchOrders(OrderFilter(status: .active)).isEmpty)
        let again = await serviceError { _ = try await trading.cancel(order.id) }
        #expect(again?.kind == .conflict)
        let unknown = await serviceError {
            _ = try await trading.cancel(OrderID(account: order.id.account, number: 99))
        }
        #expect(unknown?.kind == .notFound)
    }

    @Test("many at the same time: every order gets a number of its own, and nothing is lost")
    func concurrent() async throws {
        let simulation = try await Simulation.connected { $0.past = .empty }
        let trading = simulation.services.trading
        let ids = try await withThrowingTaskGroup(of: [OrderID<Paper>].self) { group in
            for task in 0..<8 {
                group.addTask {
                    var ids: [OrderID<Paper>] = []
                    for number in 0..<25 {
                        let request = OrderRequest.limit("\(task)-\(number)", .buy, 1, at: ExactDecimal(number + 1))
                        ids.append(try await trading.place(request).id)
                        // Another request gives the same order.
                        #expect(try await trading.place(request).id == ids.last)
                        if number % 2 == 0 { _ = try await trading.cancel(ids[number]) }
                    }
                    return ids
                }
            }
            var all: [OrderID<Paper>] = []
            for try await some in group { all += some }
            return all
        }
        #expect(Set(ids.map(\.number)) == Set(1...200))
        #expect(try await trading.fetchOrders(OrderFilter(status: .active, limit: 1000)).count == 96)
    }

    @Test("the same seed and the same requests give the same markets, fills and events; another seed others")
    func seeded() async throws {
        func story(_ seed: UInt64) async throws -> ([MarketInfo], [Fill<Paper>], [ServiceEvent], [Portfolio]) {
            let simulation = try await Simulation.connected {
                $0.seed = seed
                $0.eventTemplates = EventTemplate.standard
            }
            let services = simulation.services
            simulation.clock.advance(by: .seconds(33))
            _ = try await services.trading.place(.market("x", .sell, 2, "SOL-USD"))
            simulation.clock.advance(by: .seconds(100))
            return try await (
                services.markets.fetchMarkets(), services.trading.fetchFills(), services.events.fetchEvents(),
                services.portfolio.fetchPortfolio()
            )
        }
        let (one, same, other) = try await (story(1), story(1), story(2))
        #expect(one == same)
        #expect(one.0 != other.0 && one.2 != other.2)
    }
}
