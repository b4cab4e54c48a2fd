import StreamCore
import TestKit
import Testing
import TradingCore
import WebSocketTransport

@testable import MarketServices

@Suite("The live container's connection", .timeLimit(.minutes(15)))
struct ConnectionTests {
    @Test("every state of the stream is one of disconnected, connecting and connected")
    func states() {
        let states: [(SessionState, ServiceHealth.Connection)] = [
            (.idle, .disconnected), (.connecting, .connecting), (.authenticating, .connecting),
            (.waiting(until: 5), .connecting), (.open, .connected), (.failed(.unauthorized), .disconnected),
            (.closed, .disconnected),
        ]
        for (state, connection) in states { #expect(ServiceHealth.Connection(state) == connection) }
        #expect(
            ServiceHealth.Connection.allCases.map(\.rawValue) == [
                "disconnected", "connecting", "connected", "disconnecting",
            ])
    }

    @Test("a connection that is cut comes back by itself, and what happened meanwhile is not missed")
    func comesBack() async throws {
        try await RunningServer.with { server in
            let proxy = try await ChaosProxy.start(target: ChaosProxy.Target(port: server.port))
            var settings = LiveServiceSettings(url: "http://127.0.0.1:\(proxy.port)")
            settings.healthInterval = 0.05
            settings.stream.session.backoff = Backoff.Configuration(base: 0.01, cap: 0.1, attempts: 100)
            let services = try LiveServiceContainer<Paper>(settings)
            // Connects to the server directly, so that the cut connections do not affect its answers.
            let other = try LiveServiceContainer<Paper>(LiveServiceSettings(url: server.url))
            try await services.connect()
            var updates = services.trading.orderUpdates.makeAsyncIterator()
            var orders = ServiceList<Order<Paper>>()
            for round in 1...3 {
                let before = proxy.counts.ended
                let open = proxy.cutAll()
                #expect(open > 0)
                while proxy.counts.ended < before + open { await Task.yield() }
                let order = try await other.trading.place(
                    .limit("cut-\(round)", .buy, 1, at: ExactDecimal("0.01")!, "ADA-USD"))
                while orders[order.id] == nil { orders.apply(try #require(await updates.next())) }
                #expect(orders[order.id]?.clientOrderID == "cut-\(round)")
            }
            await services.disconnect()
            let health = await services.events.wsHealthUpdates.first { _ in true }
            #expect(health?.connection == .disconnected)
            await services.shutDown()
            await other.shutDown()
            await proxy.stop()
        }
    }
}

extension ChaosCounts {
    fileprivate var ended: Int { cut + closed }
}
