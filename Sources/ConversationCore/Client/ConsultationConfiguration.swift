public import StreamCore

/// How a client of a consultation behaves. The defaults are the source document's where it names a number.
public struct ConsultationConfiguration: Sendable, Equatable {
    /// How a client says who it is.
    public enum Authentication: Sendable, Hashable {
        /// In a header of the handshake, which the transport sets.
        case handshake
        /// In the first frame, for clients that cannot set headers.
        case firstFrame
    }

    /// 10 s to connect; 5 attempts with `min(2^n, 30)` s, jittered, then it is over; a `ping` message
    /// every 30 s whose answer must come within 10 s.
    public var connection: ConnectionConfiguration
    public var authentication = Authentication.handshake
    /// Seconds on an open connection until a message that the server does not acknowledge counts as failed.
    public var answerTimeout = 15.0
    /// Whether the server acknowledges. Without, a message is sent when it is written.
    public var expectsAcknowledgement = true
    /// Messages in memory. The one that is streaming and those not acknowledged stay beyond it.
    public var memory = 100
    /// Characters in a message.
    public var maxMessageLength = 5_000
    /// Messages that may wait for the server.
    public var maxPending = 20
    /// Frames that the debug log keeps; 0: none.
    public var loggedFrames = 0

    public init() {
        connection = ConnectionConfiguration()
        connection.connectTimeout = 10
        connection.backoff = Backoff.Configuration(base: 1, cap: 30, attempts: 5, slowRetry: nil)
        connection.heartbeat = Heartbeat.Configuration(interval: 30, deadline: 10, kind: .message)
    }
}
