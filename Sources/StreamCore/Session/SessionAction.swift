/// What the owner of a session is to do, in this order.
public enum SessionAction: Equatable, Sendable {
    /// Open a socket and report `opened`, `refused` or `closed` under this number.
    case open(SocketNumber)
    /// Send one text message.
    case send(SocketNumber, [UInt8])
    /// Send a WebSocket ping and report its `pong`.
    case ping(SocketNumber)
    /// Begin the close handshake. Nothing needs to be reported any more.
    case close(SocketNumber, WebSocketCloseCode, reason: String)
    /// Cut the connection at once: it is dead or was never open. Nothing needs to be reported any more.
    case drop(SocketNumber)
    /// Get a token and hand it over with `setToken`; an empty one says that there is none to be had.
    case fetchToken(wasRejected: Bool)
    case emit(SessionEvent)
}
