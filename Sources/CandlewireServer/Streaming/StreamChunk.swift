import NIOCore
import StreamCore

/// Messages of one stream that go out together: framed once, shared by all subscribers.
struct StreamChunk: Sendable {
    struct Entry: Sendable {
        /// Where the message ends in `bytes`.
        var end: Int
        var kind: OutboxKind
        var offset: Int64
    }

    var key: StreamKey
    /// WebSocket frames, one after another.
    var bytes: ByteBuffer
    var entries: [Entry]

    /// Whether no offset between the first and the last is missing.
    var isWhole: Bool {
        guard let first = entries.first, let last = entries.last else { return false }
        return last.offset - first.offset + 1 == Int64(entries.count)
    }

    /// What a loop that is behind gets: final candles, and the latest tick and forming candle.
    func shortened() -> StreamChunk {
        var short = StreamChunk(key: key, bytes: ByteBuffer(), entries: [])
        let lastTick = entries.lastIndex { $0.kind == .tick }
        let lastForming = entries.lastIndex { $0.kind == .forming }
        for index in entries.indices {
            let kind = entries[index].kind
            guard kind == .final || kind == .correction || index == lastTick || index == lastForming else { continue }
            short.bytes.writeImmutableBuffer(message(index))
            var entry = entries[index]
            entry.end = short.bytes.readableBytes
            short.entries.append(entry)
        }
        return short
    }

    /// The message at `index` as a slice of `bytes`.
    func message(_ index: Int) -> ByteBuffer {
        let start = index == 0 ? 0 : entries[index - 1].end
        // The entries were made from these very bytes.
        return bytes.getSlice(at: bytes.readerIndex + start, length: entries[index].end - start)!
    }
}

/// When the last final candles of a stream began, by offset: so that a snapshot can reach back to the first one that a
/// reader has missed.
struct FinalLog {
    /// As many as there are candles in memory for a snapshot.
    private static let capacity = MarketState.memory
    private var entries: [(offset: Int64, start: Double)] = []
    /// Whether there were more than are kept.
    private var isCut = false

    mutating func append(offset: Int64, start: Double) {
        // Dropped by halves: a step of two thousand moves is not noticed.
        if entries.count >= 2 * Self.capacity {
            entries.removeFirst(Self.capacity)
            isCut = true
        }
        entries.append((offset, start))
    }

    /// The earliest start among the candles after `offset`; infinity where there are none, and minus infinity where that
    /// is no longer known.
    func earliest(after offset: Int64) -> Double {
        guard let first = entries.first else { return .infinity }
        if isCut, offset < first.offset - 1 { return -.infinity }
        return entries.reversed().prefix { $0.offset > offset }.map(\.start).min() ?? .infinity
    }
}
