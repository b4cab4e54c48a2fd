public import StreamCore

/// What happens on a `WebSocketConnection`, in order, each once.
public enum WebSocketConnectionEvent: Sendable, Equatable {
    /// Always the first; with the subprotocol the server chose.
    case connected(subprotocol: String?)
    case text(String)
    case binary([UInt8])
    /// The peer asked whether we are there; it is answered already.
    case ping([UInt8])
    case pong([UInt8])
    /// Always the last. `abnormal` (1006) where no close frame came.
    case disconnected(WebSocketCloseCode, reason: String)

    /// What it costs the queue between connection and consumer, in bytes.
    var weight: Int {
        switch self {
        case .connected, .disconnected: 0
        case .text(let text): text.utf8.count + 64
        case .binary(let bytes), .ping(let bytes), .pong(let bytes): bytes.count + 64
        }
    }
}
