internal import Foundation
public import HTTPTransport
internal import StreamCore
public import TradingCore
public import WebSocketTransport

/// Markets, trading, portfolio and events of a candlewire server, over HTTP and one WebSocket. Behind the same protocols
/// as `SimulatedServiceContainer`.
///
/// ```swift
/// let services = try LiveServiceContainer<Paper>(LiveServiceSettings(url: "http://127.0.0.1:8080"))
/// try await services.connect()
/// for await positions in services.trading.positionUpdates { show(positions) }
/// ```
///
/// Live is where the data comes from; `Mode` is whether money is real. An account of another mode than the type's is
/// refused when connecting, and each of its ids when it is read.
///
/// The connection comes back by itself. After a loss every stream of changes begins again with a snapshot, and what is
/// known never goes back: orders are merged by their version, fills and events by their id.
public final class LiveServiceContainer<Mode: TradingMode>: ServiceContainer {
    public var markets: any MarketServiceProtocol { live }
    public var trading: any TradingServiceProtocol<Mode> { live }
    public var portfolio: any PortfolioServiceProtocol<Mode> { live }
    public var events: any EventServiceProtocol { live }

    /// Has what the protocols have not: equity over time, brackets of which one side stays.
    package let live: LiveServices<Mode>
    private let connection: LiveConnection<Mode>

    /// Nothing is connected yet.
    /// - Parameter clock: the time that repetitions and reports of health go by; the stream has its event loop's.
    /// - Throws: `ServiceError.rejected` for a URL or an account's name that cannot be.
    public init(_ settings: LiveServiceSettings, clock: ServiceClock = .system) throws(ServiceError) {
        let account: AccountID<Mode>
        do throws(IdentifierError) { account = try AccountID(name: settings.account) } catch {
            throw ServiceError(.rejected, message: error.description, field: "account")
        }
        live = LiveServices(
            account: account, rest: RESTClient(settings, clock: clock), state: LiveState(kept: settings.kept))
        connection = try LiveConnection(settings, services: live, clock: clock)
    }

    deinit {
        let connection = connection
        Task { await connection.shutDown() }
    }

    public func connect() async throws(ServiceError) { try await connection.connect() }
    public func disconnect() async { await connection.disconnect() }
    public func shutDown() async { await connection.shutDown() }

    /// A hint of the system. Coming back ends a wait for the next attempt; any change makes an open connection check
    /// whether it is alive.
    public func networkChanged(isAvailable: Bool) { connection.networkChanged(isAvailable: isAvailable) }
}

/// Where the live services are, and how they behave when the network does not.
public struct LiveServiceSettings: Sendable {
    /// `http://` or `https://`, host and port; the stream is at `/v1/stream` below it.
    public var url: String
    /// The name of the account: `main` of `paper-main`.
    public var account: String
    /// Gets the token that each request carries, where the server requires one.
    public var authorization: (@Sendable () async throws -> String)?
    /// More headers of each request, by their names, as `X-API-Key`.
    public var headers: [String: String] = [:]
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
