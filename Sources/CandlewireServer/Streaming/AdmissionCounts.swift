import Synchronization
import WebSocketTransport

/// What became of those who asked for a WebSocket, for `/health`. Shared by all event loops: one addition a connection.
final class AdmissionCounts: Sendable {
    private let accepted = Atomic<Int>(0)
    private let foreignOrigins = Atomic<Int>(0)
    private let late = Atomic<Int>(0)
    private let echoes = Atomic<Int>(0)

    func accept() { accepted.add(1, ordering: .relaxed) }
    func refuseOrigin() { foreignOrigins.add(1, ordering: .relaxed) }
    /// No request came in time.
    func giveUp() { late.add(1, ordering: .relaxed) }
    func openEcho() { echoes.add(1, ordering: .relaxed) }
    func closeEcho() { echoes.subtract(1, ordering: .relaxed) }

    struct Totals: Sendable {
        var accepted = 0
        /// Refused, by reason.
        var address = 0
        var total = 0
        var origin = 0
        var timeout = 0
        /// Connections to `/raw` that are open now.
        var echoes = 0
    }

    /// - Parameter limit: counts its refusals itself.
    func totals(_ limit: WebSocketConnectionLimit?) -> Totals {
        let refusals = limit?.refusals ?? WebSocketConnectionLimit.Refusals()
        return Totals(
            accepted: accepted.load(ordering: .relaxed), address: refusals.address, total: refusals.total,
            origin: foreignOrigins.load(ordering: .relaxed), timeout: late.load(ordering: .relaxed),
            echoes: echoes.load(ordering: .relaxed))
    }
}
