/// How the connection behind the services is doing. Published every second.
public struct ServiceHealth: Hashable, Sendable {
    /// Where a connection stands. Services that need none are `connected` from `connect` to `disconnect`.
    public enum Connection: String, Sendable, CaseIterable {
        case disconnected
        /// Also while it waits for its next attempt.
        case connecting
        case connected
        case disconnecting
    }

    public var connection: Connection
    /// The smoothed round-trip time in seconds; nil: not measured.
    public var latency: Double?
    /// Attempts since the connection was last stable.
    public var reconnectAttempts: Int
    /// Messages received since the start.
    public var messages: Int
    /// The state of the server's source of ticks, for example `live`; nil: not known yet.
    public var feed: String?
    /// Whether orders can be recorded: `ok`, or the server's word for the problem.
    public var ledger: String?
    /// The last thing that went wrong, in words, without secrets; nil: nothing so far.
    public var problem: String?
    /// When this was so, seconds since 1970 UTC.
    public var timestamp: Double

    public init(
        connection: Connection, latency: Double? = nil, reconnectAttempts: Int = 0, messages: Int = 0,
        feed: String? = nil, ledger: String? = nil, problem: String? = nil, timestamp: Double
    ) {
        self.connection = connection
        self.latency = latency
        self.reconnectAttempts = reconnectAttempts
        self.messages = messages
        self.feed = feed
        self.ledger = ledger
        self.problem = problem
        self.timestamp = timestamp
    }
}
