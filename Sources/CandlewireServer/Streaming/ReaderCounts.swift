import StreamCore

/// What readers were given, for `/health`.
struct ReaderCounts: Sendable {
    var connections = 0
    /// Messages that were left out for slow readers, and told.
    var skipped = 0
    /// Times that a snapshot took the place of final candles.
    var snapshots = 0
    /// Readers that the server closed for a reason of theirs, by the code they were told.
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
