import Foundation
import NIOCore
import StreamCore
import WebSocketTransport

/// All that the clients heard. Confined to their event loop.
final class Hearing {
    /// Of each word, from the moment at which it was due to the client's ear, in microseconds.
    var latencies: [UInt32] = []
    var ended = 0
    var errors = 0
}

/// One client: asks once, and notes how old each word is when it comes.
final class Listener: WebSocketHandlerDelegate {
    private static let chunk = Array("{\"type\":\"ai_message_chunk\",\"content\":\"".utf8)
    private static let end = Array("{\"type\":\"ai_message_complete\"".utf8)
    private static let error = Array("{\"type\":\"error\"".utf8)
    private let hearing: Hearing
    /// A word that a chunk ended in the middle of.
    private var stamp: UInt64 = 0

    init(_ hearing: Hearing) { self.hearing = hearing }

    func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        if text.starts(with: Self.chunk) {
            let now = Monotonic.microseconds
            for byte in text[Self.chunk.count...] {
                if byte >= 0x30, byte <= 0x39 {
                    stamp = stamp &* 10 &+ UInt64(byte - 0x30)
                } else if byte == 0x20 {
                    hearing.latencies.append(UInt32(clamping: now - min(now, stamp)))
                    stamp = 0
                } else {
                    break
                }
            }
        } else if text.starts(with: Self.end) {
            hearing.ended += 1
        } else if text.starts(with: Self.error) {
            hearing.errors += 1
        }
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        if code != .normal { hearing.errors += 1 }
    }
}
