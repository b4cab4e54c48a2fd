import NIOCore
import StreamCore

/// Messages of one stream that go out together: framed once, shared by all subscribers.
struct StreamChunk: Sendable {
    struct Entry: Sendable {
        /// Where the message ends in `bytes`.
        var end: Int
        var isTick: Bool
        var isFinal: Bool
        var offset: Int
    }

    var key: StreamKey
    /// WebSocket frames, one after another.
    var bytes: ByteBuffer
    var entries: [Entry]

    /// The message at `index` as a slice of `bytes`.
    func message(_ index: Int) -> ByteBuffer {
        let start = index == 0 ? 0 : entries[index - 1].end
        // The entries were made from these very bytes.
        return bytes.getSlice(at: bytes.readerIndex + start, length: entries[index].end - start)!
    }
}
