import NIOCore
import WebSocketTransport

/// The readers of one stream of messages on one event loop: what is published is encoded once, and the same bytes are
/// written to all.
///
/// ```swift
/// audience.insert(socket)
/// audience.send(WebSocketFrames.text(tick))       // one write a reader
///
/// audience.gather(WebSocketFrames.text(tick))     // nothing is written yet
/// audience.gather(WebSocketFrames.text(candle))
/// audience.flush()                                // both, in one write a reader
/// ```
/// A reader that is behind gets the bytes in its queue, in order, up to `outboundLimit`; no other reader waits for it.
/// To leave something out for it instead, check `WebSocketHandler.isWritable` before.
///
/// Costs per reader and write: the system call, and no allocation where the socket accepts all of it. To be used on the
/// event loop of its members.
struct WebSocketAudience {
    private var members: [WebSocketHandler] = []
    private var gathered = ByteBuffer()

    init() {}

    var count: Int { members.count }
    var isEmpty: Bool { members.isEmpty }

    /// Adds a server's connection. It must be removed when it closes.
    mutating func insert(_ socket: WebSocketHandler) {
        // What was gathered was published before this reader came.
        flush()
        members.append(socket)
    }

    /// - Complexity: O(`count`). The others may change their order.
    mutating func remove(_ socket: WebSocketHandler) {
        guard let index = members.firstIndex(where: { $0 === socket }) else { return }
        members.swapAt(index, members.count - 1)
        members.removeLast()
    }

    /// Writes a frame (or several, one after another) to every member, after what was gathered.
    mutating func send(_ frame: ByteBuffer) {
        if gathered.readableBytes > 0 {
            gather(frame)
            flush()
        } else {
            write(frame)
        }
    }

    /// Keeps a frame for `flush`.
    mutating func gather(_ frame: ByteBuffer) { gathered.writeImmutableBuffer(frame) }

    /// Writes what was gathered.
    mutating func flush() {
        guard gathered.readableBytes > 0 else { return }
        let bytes = gathered
        // The connections that are behind now own the old bytes.
        gathered = ByteBuffer()
        write(bytes)
    }

    /// Calls `body` with each member, for messages that are not the same for all.
    func forEach(_ body: (WebSocketHandler) -> Void) { for socket in members { body(socket) } }

    private func write(_ bytes: ByteBuffer) {
        // A member that closes because of this leaves in its delegate, that is while this runs: over a copy.
        for socket in members { socket.send(preframed: bytes) }
    }
}

// Confined to its members' event loop.
@available(*, unavailable)
extension WebSocketAudience: Sendable {}
