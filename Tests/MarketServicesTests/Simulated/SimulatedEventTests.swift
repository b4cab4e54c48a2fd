import MarketModel
import MarketServices
import TestKit
import Testing
import TradingCore

@Suite("Simulated events and health", .timeLimit(.minutes(15)))
struct SimulatedEventTests {
    @Test("an event of chance every two to five seconds")
    func chance() async throws {
        let simulation = try await Simulation.connected {
            $0.eventTemplates = EventTemplate.standard
            $0.past = .empty
        }
        simulation.clock.advance(by: .seconds(290))
        let events = try await simulation.services.events.fetchEvents(EventFilter(limit: 1000))
            .filter { $0.timestamp > Simulation.start }
        let gaps = zip(events, events.dropFirst()).map { $0.timestamp - $1.timestamp }
        #expect(gaps.allSatisfy { (1.999...5.001).contains($0) })
        #expect(gaps.contains { $0 < 2.6 } && gaps.contains { $0 > 4.4 })
        #expect((58...145).contains(events.count))
    }

    @Test("signals, risks and news come from templates; orders and positions report what happened")
    func types() async throws {
        let simulation = try await Simulation.connected { $0.eventTemplates = EventTemplate.standard }
        let trading = simulation.services.trading
        var stream = simulation.services.events.eventStream.makeAsyncIterator()
        var list = ServiceList<ServiceEvent>()
        list.apply(try #require(await stream.next()))
        let order = try await trading.place(.limit("waits", .buy, 1, at: 60_000))
        _ = try await trading.cancel(order.id)
        _ = try await trading.closePosition(symbol: "ETH-USD")
        _ = try await trading.reversePosition(symbol: "SOL-USD")
        for _ in 0..<40 {
            simulation.clock.advance(by: .seconds(5))
            _ = try await simulation.services.markets.fetchMarkets()
        }
        let expected = try await simulation.services.events.fetchEvents(EventFilter(limit: 10_000))
        while list.items.first?.id != expected.first?.id { list.apply(try #require(await stream.next())) }
        #expect(list.items == expected)
        #expect(Set(expected.map(\.type)) == Set(ServiceEventType.known))
        let closed = try #require(expected.first { $0.type == .positionClosed && $0.symbol == "ETH-USD" })
        #expect(closed.message.contains("short ETH-USD") && closed.metadata?["realized_pnl"]?.hasPrefix("21.6") == true)
        let signal = try #require(expected.first { $0.type == .signal })
        #expect(signal.message.contains(signal.symbol ?? "?") && signal.metadata?["direction"] != nil)
        #expect(expected.allSatisfy { !$0.message.contains("{") })
        // The cancelled order and the two that opened positions.
        let filtered = try await simulation.services.events.fetchEvents(
            EventFilter(type: .orderCancelled, symbol: "BTC-USD"))
        #expect(filtered.count == 1 && filtered[0].metadata?["order"] == "\(order.id)")
    }

    @Test("the same generator draws the same event; without templates or markets there is none")
    func draws() {
        var one = SeededGenerator(seed: 4)
        var two = SeededGenerator(seed: 4)
        let market = MarketInfo(SimulatedMarket.all[0].market, price: 5, timestamp: 1)
        let first = EventTemplate.draw(
            from: EventTemplate.standard, markets: [market], id: "1", time: 3, random: &one)
        let second = EventTemplate.draw(
            from: EventTemplate.standard, markets: [market], id: "1", time: 3, random: &two)
        #expect(first == second && first?.timestamp == 3)
        #expect(EventTemplate.draw(from: [], markets: [market], id: "", time: 0, random: &one) == nil)
        #expect(EventTemplate.draw(from: EventTemplate.standard, markets: [], id: "", time: 0, random: &one) == nil)
    }

    @Test("health is published every second, and says when it is connected")
    func health() async throws {
        let simulation = try Simulation()
        var updates = simulation.services.events.wsHealthUpdates.makeAsyncIterator()
        try await simulation.services.connect()
        #expect(await updates.next()?.connection == .connected)
        for second in 1...5 {
            simulation.clock.advance(by: .seconds(1))
            let health = try #require(await updates.next())
            #expect(health.timestamp == Simulation.start + Double(second))
            #expect(health.connection == .connected && health.messages == second + 1)
        }
        await simulation.services.disconnect()
        #expect(await updates.next()?.connection == .disconnected)
    }

    @Test("the log of events is bounded, and the oldest are forgotten first")
    func bounded() async throws {
        let simulation = try await Simulation.connected {
            $0.eventTemplates = EventTemplate.standard
            $0.kept = 20
        }
        simulation.clock.advance(by: .seconds(280))
        let events = try await simulation.services.events.fetchEvents(EventFilter(limit: 1000))
        #expect(events.count == 20)
        #expect(try #require(events.last).timestamp > Simulation.start + 100)
    }
}
