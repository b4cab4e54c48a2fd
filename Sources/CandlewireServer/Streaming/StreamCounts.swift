import MarketModel
import StreamCore
import Synchronization
import WebSocketTransport

/// What readers were given, for `/health`.
struct ReaderCounts: Sendable {
    var connections = 0
    /// Messages that were left out, and reported.
    var skipped = 0
    /// Those of them that readers wanted to be left out, by `max_rate`.
    var skippedForRate = 0
    /// Those of them that were left out because the event loop was behind.
    var skippedForLoad = 0
    /// Times that a snapshot replaced final candles.
    var snapshots = 0
    /// Readers that the server closed for a reason of theirs, by the close code they got.
    var closes = Closes()
    /// Of requests, as they came in messages.
    var bytesIn = 0
    /// Of frames, given to the sockets.
    var bytesOut = 0
    /// Messages given to the sockets.
    var deliveries = 0
    /// From the first message of a round until all readers had it; of event loops alone.
    var sendDelay: DurationHistogram?

    /// Those that were left out because a reader was slow.
    var skippedForReader: Int { skipped - skippedForRate - skippedForLoad }

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
        skippedForRate += other.skippedForRate
        skippedForLoad += other.skippedForLoad
        deliveries += other.deliveries
        guard let more = other.sendDelay else { return }
        if sendDelay == nil { sendDelay = more } else { sendDelay?.add(more) }
    }
}

/// What became of requests for a WebSocket, for `/health`. Shared by all event loops: one change a connection.
final class AdmissionCounts: Sendable {
    struct Totals: Sendable {
        var accepted = 0
        /// Refused, by reason.
        var address = 0
        var total = 0
        var origin = 0
        var timeout = 0
        /// Without a valid token or login.
        var unauthenticated = 0
        /// Connections to `/raw` that are open now.
        var echoes = 0
    }

    private let counted = Mutex(Totals())

    func change(_ body: (inout Totals) -> Void) { counted.withLock { body(&$0) } }

    /// - Parameter limit: counts its refusals itself.
    func totals(_ limit: WebSocketConnectionLimit?) -> Totals {
        var totals = counted.withLock { $0 }
        totals.address = limit?.refusals.address ?? 0
        totals.total = limit?.refusals.total ?? 0
        return totals
    }
}
