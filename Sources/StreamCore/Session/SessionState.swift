/// Where a connection stands. Each change is emitted once, as a `state` event.
public enum SessionState: Equatable, Sendable {
    /// Never connected.
    case idle
    /// A socket is being opened.
    case connecting
    /// The server is looking at the token, or the application is to provide one.
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
    /// The text of the server's `error` message.
    case server(code: String, message: String)
    /// A message that could not be read.
    case malformed(String)
}

/// What a session has seen and done, for a diagnostics panel. Counters run over the session's life.
public struct SessionDiagnostics: Sendable, Equatable {
    public var state = SessionState.idle
    /// Attempts to connect since the last stable connection.
    public var attempts = 0
    /// The quick attempts are used up; one more is made every `Backoff.Configuration.slowRetry` seconds.
    public var isSlowRetry = false
    public var lastProblem: SessionProblem?
    /// 64 bits also in WebAssembly, where a page that stays open for days would overflow an `Int`.
    public var messagesIn: Int64 = 0
    public var messagesOut: Int64 = 0
    /// Bytes of messages, without frames.
    public var bytesIn: Int64 = 0
    public var bytesOut: Int64 = 0
    /// Smoothed, in seconds.
    public var roundTrip: Double?
    /// When the present connection opened, by the session's clock.
    public var openSince: Double?
    /// Connections that became open.
    public var connects = 0
    /// Planned replacements of a connection.
    public var rotations = 0
    /// Streams that went on after a lost connection with all they had missed.
    public var recovered = 0
    /// Streams that went on with a snapshot, because what they had missed was not to be had any more.
    public var reloaded = 0
    /// Losses found inside a connection.
    public var gaps = 0
    /// Messages that came again and were dropped.
    public var duplicates = 0
    /// Ticks and forming candles that the server left out and reported.
    public var skipped: Int64 = 0
    /// Messages that could not be read.
    public var malformed = 0
    /// Subscriptions desired, and those of them that are delivered now.
    public var subscriptions = 0
    public var live = 0
    /// Channels desired, and those of them that are delivered now.
    public var channels = 0
    public var liveChannels = 0

    public init() {}

    /// Seconds that the present connection has been open; 0 where it is not.
    public func uptime(now: Double) -> Double { openSince.map { max(0, now - $0) } ?? 0 }
}
