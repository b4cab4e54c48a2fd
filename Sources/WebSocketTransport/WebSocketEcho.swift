import NIOCore
package import StreamCore

/// Sends every message back as it came: text as text, binary as binary, each whole and in order.
///
/// ```swift
/// socket.delegate = WebSocketEcho { echo, code, reason in print(echo.messages, code) }
/// ```
/// Conformance suites and tests of proxies talk to it. It holds no queue: while the peer does not read its echoes,
/// nothing more is read, so it costs what the socket's high mark allows and one message.
package final class WebSocketEcho: WebSocketHandlerDelegate {
    /// Messages sent back.
    package private(set) var messages = 0
    /// Payload bytes sent back.
    package private(set) var bytes = 0
    private let onClose: (WebSocketEcho, WebSocketCloseCode, String) -> Void

    package init(onClose: @escaping (WebSocketEcho, WebSocketCloseCode, String) -> Void = { _, _, _ in }) {
        self.onClose = onClose
    }

    /// Messages of up to 16 MiB in up to 262,144 fragments, compressed where the peer can. Ten minutes of silence end
    /// it.
    package static var configuration: WebSocketConfiguration {
        WebSocketConfiguration(
            limits: WebSocketLimits(frameBytes: 16 << 20, messageBytes: 16 << 20, fragmentsPerMessage: 262_144),
            keepAlive: nil, outboundLimit: 64 << 20,
            compression: WebSocketCompression(memoryLevel: 8, windowBits: 15), idleTimeout: .minutes(10))
    }

    package func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        echo(.text, text, on: socket)
    }

    package func webSocketBinary(_ bytes: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        echo(.binary, bytes, on: socket)
    }

    private func echo(_ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        guard socket.send(opcode, payload) else { return }
        messages += 1
        bytes += payload.count
        if !socket.isWritable { socket.pauseReading() }
    }

    package func webSocketWritabilityChanged(_ isWritable: Bool, on socket: WebSocketHandler) {
        if isWritable { socket.resumeReading() }
    }

    package func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        onClose(self, code, reason)
    }
}
