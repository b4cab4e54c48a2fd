import NIOCore
import StreamCore
import WebSocketTransport

/// The subscribers, and what is published to them.
final class Fanout {
    private var audience = WebSocketAudience()

    func add(_ socket: WebSocketHandler) {
        audience.insert(socket)
    }

    /// Sends `count` times one message, or sixteen at once, to every subscriber.
    func publish(isBatch: Bool, count: Int, stamp: Substring) {
        var payload = "\(stamp),\"BTC-USD\",67321.5,0.0125,"
        payload += String(repeating: "x", count: 100 - payload.utf8.count)
        for _ in 0..<count {
            let frame = WebSocketFrames.text(payload)
            if isBatch {
                for _ in 0..<16 { audience.gather(frame) }
                audience.flush()
            } else {
                audience.send(frame)
            }
        }
    }
}

/// The connection that gives the commands.
final class Control: WebSocketHandlerDelegate {
    private let fanout: Fanout

    init(fanout: Fanout) {
        self.fanout = fanout
    }

    func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        let words = String(decoding: text, as: UTF8.self).split(separator: " ")
        guard words.count == 3, let count = Int(words[1]) else { return }
        fanout.publish(isBatch: words[0] == "batch", count: count, stamp: words[2])
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {}
}
