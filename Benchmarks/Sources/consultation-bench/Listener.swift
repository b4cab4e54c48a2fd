import Foundation
import NIOCore
import StreamCore
import WebSocketTransport

/// What all clients received. Confined to their event loop.
final class Received {
    /// Of each word, from the moment at which it was due until the client had it, in microseconds.
    var latencies: [UInt32] = []
    var ended = 0
    var errors = 0
}

/// One client: sends one question, and records the age of each word at its arrival.
final class Listener: WebSocketHandlerDelegate {
    private static let chunk = Array("{\"type\":\"ai_message_chunk\",\"content\":\"".utf8)
    private static let end = Array("{\"type\":\"ai_message_complete\"".utf8)
    private static let error = Array("{\"type\":\"error\"".utf8)
    private let received: Received
    /// A word that a chunk ended in the middle of.
    private var stamp: UInt64 = 0

    init(_ received: Received) { self.received = received }

    func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        if text.starts(with: Self.chunk) {
            let now = Monotonic.microseconds
            for byte in text[Self.chunk.count...] {
                if byte >= 0x30, byte <= 0x39 {
                    stamp = stamp &* 10 &+ UInt64(byte - 0x30)
                } else if byte == 0x20 {
                    received.latencies.append(UInt32(clamping: now - min(now, stamp)))
                    stamp = 0
                } else {
                    break
                }
            }
        } else if text.starts(with: Self.end) {
            received.ended += 1
        } else if text.starts(with: Self.error) {
            received.errors += 1
        }
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        if code != .normal { received.errors += 1 }
    }
}
