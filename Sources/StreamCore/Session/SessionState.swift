/// Where a connection stands. Each change is emitted once, as a `state` event.
public enum SessionState: Equatable, Sendable {
    /// Never connected.
    case idle
    /// A socket is being opened.
    case connecting
    /// The server is looking at the token, or the application was asked for one.
    case authenticating
    case open
    /// The connection was lost; the next attempt is at this time.
    case waiting(until: Double)
    /// Given up: only `connect` starts again.
    case failed(SessionFailure)
    /// Ended by the application.
    case closed
}

/// Why a connection was given up.
public enum SessionFailure: Equatable, Sendable {
    /// The server closed with a code after which trying again is pointless.
    case closeCode(WebSocketCloseCode, reason: String)
    /// The server answered the handshake with an HTTP status after which trying again is pointless.
    case refused(status: Int)
    /// The token was not accepted, and the one fetched in its place neither.
    case unauthorized
    /// All attempts are used up, and there is no slow retry.
    case attemptsExhausted
}

/// The last thing that went wrong, for a diagnostics panel. Never holds a secret.
public enum SessionProblem: Equatable, Sendable {
    case closed(WebSocketCloseCode, reason: String)
    case refused(status: Int)
    /// The socket did not open, or the server did not accept the token, in time.
    case timedOut
    /// A ping was not answered in time.
    case heartbeatMissed
    /// What the server said in an `error` message.
    case server(code: String, message: String)
    /// A message that could not be read.
    case malformed(String)
}
