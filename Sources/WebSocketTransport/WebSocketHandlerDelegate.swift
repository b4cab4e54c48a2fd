public import StreamCore

/// Gets what a `WebSocketHandler` receives. Every call comes on the connection's event loop, in order, and may send,
/// pause or close from inside.
///
/// The handler holds its delegate until `webSocketClosed`, which is called exactly once and is the last call.
public protocol WebSocketHandlerDelegate: AnyObject {
    /// A whole text message, valid UTF-8. The bytes are valid during the call only.
    func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler)
    /// A whole binary message. The bytes are valid during the call only.
    func webSocketBinary(_ bytes: UnsafeRawBufferPointer, on socket: WebSocketHandler)
    /// A ping came; the handler answers it (unless `answersPings` is off).
    func webSocketPing(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler)
    func webSocketPong(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler)
    /// The outbound buffer crossed its high mark (false) or went below its low mark again (true).
    func webSocketWritabilityChanged(_ isWritable: Bool, on socket: WebSocketHandler)
    /// The server shuts down: the last chance to send something. The handler closes with 1001 after this call.
    func webSocketWillGoAway(on socket: WebSocketHandler)
    /// The conversation is over, whichever side ended it: the peer's code and reason, the code of what it did wrong, or
    /// `abnormal` (1006) where the connection was lost or no close frame came in time.
    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler)
}

extension WebSocketHandlerDelegate {
    public func webSocketBinary(_ bytes: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        socket.refuseBinary()
    }
    public func webSocketPing(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {}
    public func webSocketPong(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {}
    public func webSocketWritabilityChanged(_ isWritable: Bool, on socket: WebSocketHandler) {}
    public func webSocketWillGoAway(on socket: WebSocketHandler) {}
}

extension WebSocketHandler {
    package func refuseBinary() { close(.unacceptableData, reason: "only text is understood here") }
}

/// A delegate made of closures, all called on the connection's event loop.
///
/// ```swift
/// let channel = try await WebSocketConnector.connect(url: url) { socket, _ in
///     socket.delegate = WebSocketCallbacks(onText: { bytes, _ in parser.parse(bytes) })
/// }.get()
/// ```
package final class WebSocketCallbacks: WebSocketHandlerDelegate {
    /// The bytes are valid during the call only.
    package typealias OnBytes = (UnsafeRawBufferPointer, WebSocketHandler) -> Void

    private let onText: OnBytes
    private let onBinary: OnBytes
    private let onPing: OnBytes
    private let onPong: OnBytes
    private let onWritabilityChanged: (Bool, WebSocketHandler) -> Void
    private let onClose: (WebSocketCloseCode, String) -> Void

    /// - Parameter onBinary: unless given, binary messages are refused with close code 1003.
    package init(
        onText: @escaping OnBytes, onBinary: @escaping OnBytes = { $1.refuseBinary() },
        onPing: @escaping OnBytes = { _, _ in }, onPong: @escaping OnBytes = { _, _ in },
        onWritabilityChanged: @escaping (Bool, WebSocketHandler) -> Void = { _, _ in },
        onClose: @escaping (WebSocketCloseCode, String) -> Void = { _, _ in }
    ) {
        self.onText = onText
        self.onBinary = onBinary
        self.onPing = onPing
        self.onPong = onPong
        self.onWritabilityChanged = onWritabilityChanged
        self.onClose = onClose
    }

    package func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) { onText(text, socket) }
    package func webSocketBinary(_ data: UnsafeRawBufferPointer, on socket: WebSocketHandler) { onBinary(data, socket) }
    package func webSocketPing(_ data: UnsafeRawBufferPointer, on socket: WebSocketHandler) { onPing(data, socket) }
    package func webSocketPong(_ data: UnsafeRawBufferPointer, on socket: WebSocketHandler) { onPong(data, socket) }

    package func webSocketWritabilityChanged(_ isWritable: Bool, on socket: WebSocketHandler) {
        onWritabilityChanged(isWritable, socket)
    }

    package func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        onClose(code, reason)
    }
}

/// What ended a WebSocket conversation; the close code alone does not distinguish a violation from a polite refusal.
public enum WebSocketEnding: Sendable, Hashable {
    /// A close frame of the peer, answering ours or on its own account.
    case closed
    /// The peer broke the protocol or a limit; the close code is what we sent.
    case violation
    /// The peer ended the TCP connection without a close frame.
    case endOfStream
    /// A ping or a close frame got no answer in time: the peer or the network between is gone.
    case unanswered
    /// The socket failed, for example with a reset.
    case failed
    /// We ended it at once (`WebSocketHandler.terminate`).
    case terminated
}
