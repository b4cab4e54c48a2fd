import StreamCore
import Synchronization
import WebSocketTransport

/// What readers were given, for `/health`.
struct ReaderCounts: Sendable {
    var connections = 0
    /// Messages that were left out for slow readers, and reported.
    var skipped = 0
    /// Times that a snapshot replaced final candles.
    var snapshots = 0
    /// Readers that the server closed for a reason of theirs, by the close code they got.
    var closes = Closes()
    /// Of requests, as they came in messages.
    var bytesIn = 0
    /// Of frames, given to the sockets.
    var bytesOut = 0

    struct Closes: Sendable {
        static let codes: [WebSocketCloseCode] = [.slowReader, .tooManyMessages, .badRequests, .unauthorized]
        private var counts = [Int](repeating: 0, count: codes.count)

        subscript(code: WebSocketCloseCode) -> Int { Self.codes.firstIndex(of: code).map { counts[$0] } ?? 0 }

        mutating func add(_ code: WebSocketCloseCode) {
            if let index = Self.codes.firstIndex(of: code) { counts[index] += 1 }
        }

        mutating func add(_ other: Closes) {
            for index in counts.indices { counts[index] += other.counts[index] }
        }
    }

    mutating func add(_ other: ReaderCounts) {
        connections += other.connections
        skipped += other.skipped
        snapshots += other.snapshots
        closes.add(other.closes)
        bytesIn += other.bytesIn
        bytesOut += other.bytesOut
    }
}

/// What became of requests for a WebSocket, for `/health`. Shared by all event loops: one addition a connection.
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
