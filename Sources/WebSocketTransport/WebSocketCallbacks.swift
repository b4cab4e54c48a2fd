public import StreamCore

/// A delegate made of closures, all called on the connection's event loop.
///
/// ```swift
/// let channel = try await WebSocketClient.connect(url: url) { socket, _ in
///     socket.delegate = WebSocketCallbacks(onText: { bytes, _ in parser.parse(bytes) })
/// }.get()
/// ```
public final class WebSocketCallbacks: WebSocketHandlerDelegate {
    /// The bytes are valid during the call only.
    public typealias OnBytes = (UnsafeRawBufferPointer, WebSocketHandler) -> Void

    private let onText: OnBytes
    private let onBinary: OnBytes?
    private let onPing: OnBytes?
    private let onPong: OnBytes?
    private let onWritabilityChanged: ((Bool, WebSocketHandler) -> Void)?
    private let onClose: ((WebSocketCloseCode, String) -> Void)?

    /// - Parameter onBinary: nil refuses binary messages with close code 1003.
    public init(
        onText: @escaping OnBytes, onBinary: OnBytes? = nil, onPing: OnBytes? = nil, onPong: OnBytes? = nil,
        onWritabilityChanged: ((Bool, WebSocketHandler) -> Void)? = nil,
        onClose: ((WebSocketCloseCode, String) -> Void)? = nil
    ) {
        self.onText = onText
        self.onBinary = onBinary
        self.onPing = onPing
        self.onPong = onPong
        self.onWritabilityChanged = onWritabilityChanged
        self.onClose = onClose
    }

    public func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) { onText(text, socket) }

    public func webSocketBinary(_ bytes: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        if let onBinary {
            onBinary(bytes, socket)
        } else {
            socket.close(.unacceptableData, reason: "only text is understood here")
        }
    }

    public func webSocketPing(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        onPing?(payload, socket)
    }

    public func webSocketPong(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        onPong?(payload, socket)
    }

    public func webSocketWritabilityChanged(_ isWritable: Bool, on socket: WebSocketHandler) {
        onWritabilityChanged?(isWritable, socket)
    }

    public func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        onClose?(code, reason)
    }
}
