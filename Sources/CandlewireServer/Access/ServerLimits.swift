/// What clients may cost the server.
public struct ServerLimits: Sendable, Equatable {
    /// WebSockets at the same time; more are refused with 503.
    public var connections = 20_000
    /// WebSockets of one address, those of the machine itself not counted; more are refused with 429.
    public var connectionsPerAddress = 256
    /// Messages a second of one connection, ten times as many at once; more close it with 4009.
    public var messagesPerSecond = 100.0
    /// Seconds from the connection to its first request; then it is answered 408.
    public var handshakeTime = 30.0
    /// Seconds between pings, and a client that has not answered one after ten is gone.
    public var pingInterval = 20.0

    public init() {}
}
