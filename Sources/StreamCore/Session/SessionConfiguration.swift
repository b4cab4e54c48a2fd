/// How a session behaves. The defaults are meant for a chart on a person's device.
public struct SessionConfiguration: Sendable, Equatable {
    /// What becomes of the streams while the user is not looking. Channels have a rule of their own: see
    /// `StreamSession.setHidden`.
    public enum HiddenPolicy: Sendable, Equatable {
        /// Unsubscribe, and get one snapshot on return.
        case unsubscribe
        /// Go on with this many updates a second, and get one snapshot on return.
        case rate(Double)
    }

    /// Seconds until a socket must be open, and again until the token must be accepted.
    public var connectTimeout = 10.0
    public var backoff = Backoff.Configuration()
    /// Seconds a connection must last before the attempts are counted from zero again. At once would let a server
    /// that accepts and drops be hammered without a pause.
    public var stableUptime = 10.0
    public var heartbeat = Heartbeat.Configuration()
    /// The server requires a token: none is opened without one.
    public var requiresToken = false
    /// Subscribe and unsubscribe messages a second, of streams and channels together, after a burst of as many.
    public var subscribesPerSecond = 20.0
    /// Seconds after which a connection is replaced by a new one, make before break; `nil`: never. For servers that cut
    /// connections after a fixed time: choose less than that.
    public var rotation: Double?
    /// Seconds without a tick after which a symbol counts as stale.
    public var staleAfter = 15.0
    /// Updates a second of a stream whose request has no `maxRate`; `nil`: all.
    public var defaultMaxRate: Double? = 30
    public var hidden = HiddenPolicy.unsubscribe

    public init() {}

    /// The part that is about the connection alone.
    public var connection: ConnectionConfiguration {
        var connection = ConnectionConfiguration()
        connection.connectTimeout = connectTimeout
        connection.backoff = backoff
        connection.stableUptime = stableUptime
        connection.heartbeat = heartbeat
        connection.requiresToken = requiresToken
        connection.rotation = rotation
        return connection
    }

    /// Seconds an answer may take: longer each time, because a server or a line that is too slow gets slower with every
    /// request.
    func answerTimeout(after unanswered: Int) -> Double {
        Backoff.Configuration(first: connectTimeout, cap: 16 * connectTimeout).wait(before: unanswered + 1)
    }
}

/// How a `ConnectionMachine` behaves. See `SessionConfiguration` for each field.
public struct ConnectionConfiguration: Sendable, Equatable {
    public var connectTimeout = 10.0
    public var backoff = Backoff.Configuration()
    public var stableUptime = 10.0
    public var heartbeat = Heartbeat.Configuration()
    public var requiresToken = false
    public var rotation: Double?

    public init() {}
}
