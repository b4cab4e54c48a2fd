import MarketModel
import MarketServices
import Synchronization
import TestKit
import Testing
import TradingCore

@Suite("The life of the simulated services", .timeLimit(.minutes(15)))
struct SimulatedLifecycleTests {
    @Test("shutting down ends every stream and every wait, and nothing can be placed any more")
    func shutDown() async throws {
        let simulation = try await Simulation.connected()
        let services = simulation.services
        var markets = services.markets.marketUpdates.makeAsyncIterator()
        var orders = services.trading.orderUpdates.makeAsyncIterator()
        _ = (await markets.next(), await orders.next())
        let listeners = Task {
            for await _ in services.trading.fillUpdates {}
            for await _ in services.trading.positionUpdates {}
            for await _ in services.portfolio.portfolioUpdates {}
            for await _ in services.events.eventStream {}
            for await _ in services.events.wsHealthUpdates {}
        }
        await simulation.clock.waitForSleepers(1)
        await services.shutDown()
        await listeners.value
        #expect(await markets.next() == nil)
        #expect(await orders.next() == nil)
        while simulation.clock.pending > 0 { await Task.yield() }
        let error = await serviceError { _ = try await services.trading.place(.market("late", .buy, 1)) }
        #expect(error?.kind == .closed)
        let again = await serviceError { try await services.connect() }
        #expect(again?.kind == .closed)
    }

    @Test("a container that is let go ends its task and streams, and leaves nothing behind")
    func letGo() async throws {
        let clock = ManualClock()
        weak var container: SimulatedServiceContainer?
        var updates: ServiceStream<[MarketInfo]>.Iterator
        do {
            var settings = SimulationSettings()
            settings.historyDepth = 86_400
            settings.finestHistory = .m1
            let services = try SimulatedServiceContainer(settings, clock: ServiceClock(clock, startingAt: 0))
            container = services
            try await services.connect()
            updates = services.markets.marketUpdates.makeAsyncIterator()
            _ = await updates.next()
            await clock.waitForSleepers(1)
        }
        while await updates.next() != nil {}
        while clock.pending > 0 { await Task.yield() }
        #expect(container == nil)
    }

    @Test("disconnecting stops the clockwork until the next connect; the streams stay open")
    func reconnects() async throws {
        let simulation = try await Simulation.connected()
        let services = simulation.services
        var updates = services.markets.marketUpdates.makeAsyncIterator()
        let before = try #require(await updates.next())
        await services.disconnect()
        simulation.turn(10)
        #expect(try await services.markets.fetchMarkets() == before)
        try await services.connect()
        try await services.connect()
        simulation.turn()
        let after = try #require(await updates.next())
        #expect(after[0].timestamp == Simulation.start + 22)
        #expect(updates.missed == 0)
    }

    @Test("after a long sleep of the machine it goes on from now, and does not make up for hours")
    func sleeps() async throws {
        let clock = JumpingClock()
        var settings = SimulationSettings()
        settings.historyDepth = 86_400
        settings.finestHistory = .m1
        settings.latency = 0
        settings.markets = [SimulatedMarket.all[0]]
        let services = try SimulatedServiceContainer(settings, clock: ServiceClock(clock, startingAt: 0))
        try await services.connect()
        clock.jump(by: .seconds(8 * 3600))
        #expect(try await services.markets.fetchMarket(symbol: "BTC-USD").timestamp == 8 * 3600)
        for await health in services.events.wsHealthUpdates {
            #expect(health.messages == 2)
            break
        }
        await services.shutDown()
    }

    /// A clock that wakes no task: what a machine's is while it is closed.
    final class JumpingClock: Clock, Sendable {
        typealias Instant = ManualClock.Instant

        private let time = Mutex(Duration.zero)

        var now: Instant { Instant(time.withLock { $0 }) }
        var minimumResolution: Duration { .nanoseconds(1) }

        func jump(by duration: Duration) {
            time.withLock { $0 += duration }
        }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            try await Task.sleep(for: .seconds(86_400))
        }
    }

    @Test("one service replaced, the others as they were")
    func replaced() async throws {
        struct QuietEvents: EventServiceProtocol {
            let events = ServiceChannel<ServiceUpdate<ServiceEvent>>.changes([])
            let health = ServiceChannel<ServiceHealth>.values()
            var eventStream: ServiceStream<ServiceUpdate<ServiceEvent>> { events.stream }
            var wsHealthUpdates: ServiceStream<ServiceHealth> { health.stream }
            func fetchEvents(_ filter: EventFilter) async throws(ServiceError) -> [ServiceEvent] { [] }
        }
        let simulation = try Simulation()
        var services = ServiceSet(simulation.services)
        services.events = QuietEvents()
        try await services.connect()
        #expect(try await services.events.fetchEvents().isEmpty)
        #expect(try await services.trading.fetchPositions().count == 3)
        await services.shutDown()
    }

    @Test("settings that cannot be are refused by name")
    func badSettings() async {
        let account = await serviceError { _ = try Simulation { $0.account = "a-b" } }
        #expect(account?.field == "account")
        let chance = await serviceError { _ = try Simulation { $0.paper.fillModel = .random(chance: 2, every: 10) } }
        #expect(chance?.field == "chance")
    }
}
