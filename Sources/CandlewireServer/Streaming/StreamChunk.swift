import NIOCore
import StreamCore

/// Messages of one stream that go out together: framed once, shared by all subscribers.
struct StreamChunk: Sendable {
    struct Entry: Sendable {
        /// Where the message ends in `bytes`.
        var end: Int
        var kind: Outbox<ByteBuffer>.Kind
        var offset: Int
    }

    var key: StreamKey
    /// WebSocket frames, one after another.
    var bytes: ByteBuffer
    var entries: [Entry]
    /// Messages that were left out because the subscribers' loop is behind.
    var skipped = 0

    /// Only what may not be left out.
    func shortened() -> StreamChunk {
        var short = StreamChunk(key: key, bytes: ByteBuffer(), entries: [])
        for index in entries.indices {
            guard entries[index].kind == .final || entries[index].kind == .correction else {
                short.skipped += 1
                continue
            }
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
