import CandlewireUI
import Foundation
import MarketServices
import TestKit
import Testing
import TradingCore

@MainActor
@Suite("Positions, orders, events and the connection")
struct TradesModelTests {
    let formats = Formats(locale: Locale(identifier: "en_US"), timeZone: .gmt)
    let clock = ManualClock(startingAt: 1_732_060_800)

    private func services() async throws -> (ServiceSet<Paper>, ScriptedTrading) {
        var settings = SimulationSettings()
        settings.latency = 0
        settings.historyDepth = 3600
        let time = ServiceClock(clock, startingAt: 1_732_060_800)
        let base = try SimulatedServiceContainer(settings, clock: time)
        try await base.connect()
        let trading = ScriptedTrading(base.trading)
        var set = ServiceSet(base)
        set.trading = trading
        return (set, trading)
    }

    @Test("Shows the account, follows it, and distinguishes a new fill from those that were there")
    func follows() async throws {
        let (services, _) = try await services()
        let model = TradesModel(services, formats: formats)
        let running = Task { await model.run() }
        #expect(await wait { !model.positions.isEmpty && !model.orders.items.isEmpty && !model.fills.items.isEmpty })
        #expect(model.fillCount == 0)
        #expect(model.positionRows.count == model.positions.count)
        #expect(await wait { model.totals.first?.map(\.name).first == "Equity" })
        let symbol = model.positions[0].symbol
        let before = model.positions[0]
        await model.close(before)
        #expect(model.problem == nil)
        #expect(await wait(clock) { !model.positions.contains { $0.symbol == symbol } })
        #expect(await wait(clock) { model.fillCount > 0 })
        #expect(model.news?.hasPrefix("Filled: ") == true)
        running.cancel()
        await running.value
    }

    @Test("Filters orders, cancels one, and says why a command failed")
    func orders() async throws {
        let (services, trading) = try await services()
        let model = TradesModel(services, formats: formats)
        let running = Task { await model.run() }
        #expect(await wait { model.orders.items.contains { $0.status.isActive } })
        model.filter = .active
        let row = try #require(model.orderRows.first)
        #expect(row.canCancel)
        trading.fail(with: ServiceError(.conflict, message: "The order has changed."))
        await model.cancel(row.order)
        #expect(model.problem == "The order has changed.")
        #expect(model.busy.isEmpty)
        await model.cancel(row.order)
        #expect(model.problem == nil)
        #expect(await wait { !model.orderRows.contains { $0.id == row.id } })
        model.filter = .done
        #expect(model.orderRows.contains { $0.id == row.id && !$0.canCancel && $0.status.hasPrefix("Cancelled") })
        model.filter = .all
        #expect(model.orderRows.count == model.orders.items.count)
        running.cancel()
        await running.value
    }

    private func event(_ id: String, _ type: ServiceEventType, at time: Double) -> ServiceEvent {
        ServiceEvent(id: id, type: type, message: "Event \(id)", timestamp: time)
    }

    @Test("Events come by day, newest first, by type; a new risk or signal counts as an alert")
    func events() async {
        let day = 1_732_060_800.0
        let old = [event("2", .system, at: day + 10), event("1", .risk, at: day - 10)]
        let service = ScriptedEvents(.success(old))
        let model = EventsModel(service, formats: formats)
        let running = Task { await model.run() }
        #expect(await wait { service.events.listeners == 1 })
        let (risk, fill) = (event("3", .risk, at: day + 20), event("4", .orderFilled, at: day + 30))
        // The stream begins with a snapshot, which is no news.
        service.events.send(all: [event("0", .risk, at: day)] + old)
        #expect(await wait { model.events["0"] != nil })
        service.events.send(risk, all: [risk] + old)
        service.events.send(fill, all: [fill, risk] + old)
        #expect(await wait { model.events["4"] != nil })
        #expect(model.alertCount == 1)
        #expect(model.days.flatMap(\.events).first?.id == "4")
        model.type = .signal
        #expect(model.emptyReason == "No events of this type.")
        running.cancel()
        await running.value
    }

    @Test("Events of two days stand under two titles")
    func days() async {
        let day = 1_732_060_800.0
        let service = ScriptedEvents(.success([event("2", .system, at: day + 10), event("1", .risk, at: day - 10)]))
        let model = EventsModel(service, formats: formats)
        await model.fetch()
        #expect(model.days.map(\.events.count) == [1, 1])
        #expect(Set(model.days.map(\.title)).count == 2)
        let failing = EventsModel(ScriptedEvents(.failure(ServiceError(.forbidden, message: "Not allowed."))))
        await failing.fetch()
        #expect(failing.state == .failed("Not allowed."))
    }

    @Test(
        "The pill says where the connection stands, and why no order can be sent",
        arguments: [
            (ServiceHealth.Connection.connected, 0, "ok", "Live", true), (.connecting, 0, nil, "Connecting…", true),
            (.connecting, 2, nil, "Reconnecting…", true), (.disconnected, 0, nil, "Offline", false),
            (.connected, 0, "failing", "Live", false),
        ] as [(ServiceHealth.Connection, Int, String?, String, Bool)])
    func pill(
        connection: ServiceHealth.Connection, attempts: Int, ledger: String?, words: String, allowsOrders: Bool
    ) async {
        let service = ScriptedEvents()
        let model = ConnectionModel(service)
        let running = Task { await model.run() }
        let health = ServiceHealth(
            connection: connection, latency: 0.0124, reconnectAttempts: attempts, ledger: ledger, timestamp: 0)
        service.health.send(health)
        #expect(await wait { model.health == health })
        #expect(model.words == words)
        #expect((model.orderBlockReason == nil) == allowsOrders)
        #expect(model.details == "12 ms round trip")
        running.cancel()
        await running.value
    }
}
