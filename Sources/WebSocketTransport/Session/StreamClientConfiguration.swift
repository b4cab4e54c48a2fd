public import NIOHTTP1
public import StreamCore

/// How a `StreamClient` behaves. The defaults are meant for a chart on a person's device.
public struct StreamClientConfiguration: Sendable {
    /// Gets a token where the server wants one. Called again when the server refused the last one (`wasRejected`).
    /// Throwing, or returning an empty text, says that there is none: the connection then fails as unauthorized.
    public typealias TokenProvider = @Sendable (_ wasRejected: Bool) async throws -> String

    /// Reconnection, heartbeat, rotation, staleness. Its `defaultMaxRate` is not used: each subscription names its rate.
    public var session = SessionConfiguration()
    /// The WebSocket's limits. Pings are the session's, so `keepAlive` is off.
    public var transport = WebSocketConfiguration.client
    /// Sent with each handshake, for example `Origin`.
    public var headers: HTTPHeaders = [:]
    /// For `wss://`: whom to trust, pins, a client certificate. Where TLS fails the session fails, and does not retry.
    public var tls = WebSocketTLS.default
    public var token: TokenProvider?
    /// Candles that are kept of each stream, for observers that join later or take their events too slowly.
    public var keptCandles = 2000
    /// Gets every message and ping, without secrets, on the event loop; for a log. Costs a `String` a message.
    public var onFrame: (@Sendable (StreamFrame) -> Void)?
    /// Gets what concerns the session as a whole: problems, latency, unknown messages, a server's announced end.
    /// On the event loop.
    public var onEvent: (@Sendable (SessionEvent) -> Void)?

    public init() {}
}
