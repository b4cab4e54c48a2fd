internal import Foundation
public import HTTPTransport
internal import StreamCore
public import WebSocketTransport

/// Where the live services are, and how they behave when the network does not.
public struct LiveServiceSettings: Sendable {
    /// `http://` or `https://`, host and port; the stream is at `/v1/stream` below it.
    public var url: String
    /// The name of the account: `main` of `paper-main`.
    public var account: String
    /// Gets the token that each request carries, where the server wants one.
    public var authorization: (@Sendable () async throws -> String)?
    /// Seconds until a request must be answered, each attempt.
    public var requestTimeout = 30.0
    public var retry = RetryPolicy()
    /// How requests are sent; a test scripts it.
    public var transport = HTTPTransport.network()
    /// How the stream is kept up. By default: a heartbeat every 30 seconds; after a loss 10 attempts, 1 second apart at
    /// first and 60 at most, with jitter, and then one a minute.
    public var stream: StreamClientConfiguration
    /// Seconds until `connect` gives up on the stream.
    public var connectTimeout = 30.0
    /// Seconds between two reports of health.
    public var healthInterval = 1.0
    /// Finished orders, fills and events that are kept; the oldest are dropped first.
    public var kept = 500
    /// Makes the `X-Correlation-ID` of a request; its repetitions carry the same.
    public var correlationID: @Sendable () -> String = { UUID().uuidString.lowercased() }
    /// Gets each answer as it came, errors and repeated attempts included, for a program that shows the server's documents.
    package var onAnswer: (@Sendable (ServerAnswer) -> Void)?
    /// For the jitter of repetitions and reconnections; nil: random.
    public var seed: UInt64?

    public init(url: String, account: String = "main") {
        self.url = url
        self.account = account
        stream = StreamClientConfiguration()
        stream.session.heartbeat.interval = 30
        stream.session.backoff = Backoff.Configuration(base: 1, cap: 60, attempts: 10, slowRetry: 60)
    }
}
