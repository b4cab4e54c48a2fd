import NIOCore
import StreamCore

/// A stream's message, framed once for all its readers.
typealias StreamMessage = OutboxMessage<ByteBuffer>

/// What a stream publishes in one turn of the market loop, side by side in one piece of memory.
struct MessageBatch {
    private var bytes = ByteBuffer()
    private var messages: [(end: Int, kind: OutboxKind)] = []

    var isEmpty: Bool { messages.isEmpty }
    var count: Int { messages.count }

    /// Adds a message as a frame.
    mutating func append(_ kind: OutboxKind, _ message: [UInt8], as opcode: WebSocketOpcode) {
        bytes.writeFrame(message, as: opcode)
        messages.append((bytes.readableBytes, kind))
    }

    /// The messages, which share their memory.
    /// - Parameters:
    ///   - slot: the stream's.
    ///   - first: the offset of the first one.
    mutating func remove(slot: Int, first: Int64) -> [StreamMessage] {
        var start = 0
        var offset = first
        let made = messages.map { end, kind in
            defer { (start, offset) = (end, offset + 1) }
            // The ends are those of these very bytes.
            let frame = bytes.getSlice(at: bytes.readerIndex + start, length: end - start)!
            return StreamMessage(kind: kind, stream: slot, offset: offset, payload: frame, size: end - start)
        }
        // New memory: the old one now belongs to the ring and to the readers.
        bytes = ByteBuffer()
        messages.removeAll(keepingCapacity: true)
        return made
    }
}
