/// What the end of a connection means for the next one.
package enum CloseCodePolicy: Equatable, Sendable {
    /// Come back after a while.
    case retry
    /// Coming back would not help.
    case giveUp
    /// Come back with another token.
    case refreshToken

    /// For a close frame, or for the lack of one.
    ///
    /// 1000 from a server without our close before it is a server that restarts politely: a client that mistook it for
    /// the application's own close would stay dark for ever.
    package init(_ code: WebSocketCloseCode) {
        if code == .unauthorized {
            self = .refreshToken
        } else if code == .normal || code.isRetryable {
            self = .retry
        } else {
            self = .giveUp
        }
    }

    /// For a handshake that was answered with another HTTP status than 101; 0 where the status is not known.
    ///
    /// Redirects are refused, so they are final like the client errors, of which 408 (too late), 425 (too early) and
    /// 429 (too often) speak about the moment and not about the request.
    package init(status: Int) {
        switch status {
        case 401: self = .refreshToken
        case 408, 425, 429: self = .retry
        case 300..<500: self = .giveUp
        default: self = .retry
        }
    }
}
