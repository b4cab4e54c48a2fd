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
    /// The conversation is over, whoever ended it: the peer's code and reason, the code of what it did wrong, or
    /// `abnormal` (1006) where the connection was lost or no close frame came in time.
    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler)
}

extension WebSocketHandlerDelegate {
    public func webSocketBinary(_ bytes: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        socket.close(.unacceptableData, reason: "only text is understood here")
    }
    public func webSocketPing(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {}
    public func webSocketPong(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {}
    public func webSocketWritabilityChanged(_ isWritable: Bool, on socket: WebSocketHandler) {}
    public func webSocketWillGoAway(on socket: WebSocketHandler) {}
}
