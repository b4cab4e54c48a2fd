import StreamCore
import Testing

@testable import MarketServices

@Suite("The live container's connection", .timeLimit(.minutes(5)))
struct ConnectionTests {
    @Test("HEAN-37: every state of the stream is one of disconnected, connecting and connected")
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
}
