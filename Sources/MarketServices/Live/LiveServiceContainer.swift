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
    public var markets: any MarketServiceProtocol { liveMarkets }
    public var trading: any TradingServiceProtocol<Mode> { liveTrading }
    public var portfolio: any PortfolioServiceProtocol<Mode> { livePortfolio }
    public var events: any EventServiceProtocol { liveEvents }

    // What the protocols have not: equity over time, brackets of which one side stays, accounts.
    package let liveMarkets: LiveMarketService<Mode>
    package let liveTrading: LiveTradingService<Mode>
    package let livePortfolio: LivePortfolioService<Mode>
    package let liveEvents: LiveEventService<Mode>
    package let accounts: LiveAccountService
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
        let rest = RESTClient(settings, clock: clock)
        let state = LiveState<Mode>(kept: settings.kept)
        liveMarkets = LiveMarketService(rest: rest, state: state)
        liveTrading = LiveTradingService(account: account, rest: rest, state: state)
        livePortfolio = LivePortfolioService(account: account, rest: rest, state: state)
        liveEvents = LiveEventService(account: account, rest: rest, state: state)
        accounts = LiveAccountService(rest: rest)
        connection = try LiveConnection(
            settings, account: account, state: state, portfolio: livePortfolio, clock: clock)
    }

    deinit {
        let connection = connection
        Task { await connection.shutDown() }
    }

    public func connect() async throws(ServiceError) { try await connection.connect() }
    public func disconnect() async { await connection.disconnect() }
    public func shutDown() async { await connection.shutDown() }
}
