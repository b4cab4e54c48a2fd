import NIOCore
import StreamCore
import WebSocketTransport

/// The subscribers, and what is published to them.
final class Fanout {
    private var audience = WebSocketAudience()

    func add(_ socket: WebSocketHandler) {
        audience.insert(socket)
    }

    /// Sends `count` times one message, or sixteen at once, to every subscriber; or keeps it for `flush`.
    func publish(_ mode: Substring, count: Int, stamp: Substring) {
        var payload = "\(stamp),\"BTC-USD\",67321.5,0.0125,"
        payload += String(repeating: "x", count: 100 - payload.utf8.count)
        for _ in 0..<count {
            let frame = WebSocketFrames.text(payload)
            switch mode {
            case "gather": audience.gather(frame)
            case "batch":
                for _ in 0..<16 { audience.gather(frame) }
                audience.flush()
            default: audience.send(frame)
            }
        }
    }

    func flush() { audience.flush() }
}

/// The connection that gives the commands.
final class Control: WebSocketHandlerDelegate {
    private let fanout: Fanout
    private var isFlushScheduled = false

    init(fanout: Fanout) {
        self.fanout = fanout
    }

    func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        let words = String(decoding: text, as: UTF8.self).split(separator: " ")
        guard words.count == 3, let count = Int(words[1]) else { return }
        fanout.publish(words[0], count: count, stamp: words[2])
        guard words[0] == "gather", !isFlushScheduled else { return }
        // What else came in the same read leaves with it.
        isFlushScheduled = true
        socket.channel?.eventLoop.assumeIsolated().execute {
            self.isFlushScheduled = false
            self.fanout.flush()
        }
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {}
}
