public import TradingCore

/// The four services that an application is made of. Views know these protocols and nothing of what is behind them.
///
/// ```swift
/// let services: any ServiceContainer<Paper> = try SimulatedServiceContainer()
/// try await services.connect()
/// for await markets in services.markets.marketUpdates { show(markets) }
/// ```
public protocol ServiceContainer<Mode>: Sendable {
    associatedtype Mode: TradingMode

    var markets: any MarketServiceProtocol { get }
    var trading: any TradingServiceProtocol<Mode> { get }
    var portfolio: any PortfolioServiceProtocol<Mode> { get }
    var events: any EventServiceProtocol { get }

    /// Begins to publish. Returns once the services can be used; while they are connected it does nothing.
    func connect() async throws(ServiceError)
    /// Stops publishing, until the next `connect`. The streams stay open.
    func disconnect() async
    /// Ends everything for good: tasks, connections, and every stream.
    func shutDown() async
}
