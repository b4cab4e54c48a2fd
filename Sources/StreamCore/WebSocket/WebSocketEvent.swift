/// What a `WebSocketMachine` reads from the wire.
///
/// The payload pointers look into the bytes that were given, or into the machine: they are valid until the machine is
/// asked for the next event, and not longer.
public enum WebSocketEvent {
    /// A whole text message; it is valid UTF-8.
    case text(UnsafeRawBufferPointer)
    /// A whole binary message.
    case binary(UnsafeRawBufferPointer)
    /// A whole message as it came over the wire, to be inflated by whoever agreed on permessage-deflate: text must be
    /// checked to be UTF-8 after that. Comes only where the machine `allowsCompression`.
    case compressed(UnsafeRawBufferPointer, isText: Bool)
    /// To be answered by a pong with the same bytes (at most 125).
    case ping(UnsafeRawBufferPointer)
    case pong(UnsafeRawBufferPointer)
    /// The peer closes; `noStatus` where its frame held no code. The reason is valid UTF-8. Nothing comes after it.
    case close(WebSocketCloseCode, reason: UnsafeRawBufferPointer)
    /// The peer broke the rules: close with the failure's code. Nothing comes after it.
    case failed(WebSocketFailure)
}
