public import TradingCore

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
/// The connection comes back by itself. After a loss every stream of changes begins anew with a snapshot, and what is
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
        do throws(IdentifierError) {
            account = try AccountID(name: settings.account)
        } catch {
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
}
