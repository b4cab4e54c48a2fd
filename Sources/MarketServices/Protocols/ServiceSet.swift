public import TradingCore

/// A container put together from services of any origin: one of them replaced, for example in a test.
///
/// ```swift
/// var services = ServiceSet(try SimulatedServiceContainer())
/// services.events = QuietEvents()
/// ```
public struct ServiceSet<Mode: TradingMode>: ServiceContainer {
    public var markets: any MarketServiceProtocol
    public var trading: any TradingServiceProtocol<Mode>
    public var portfolio: any PortfolioServiceProtocol<Mode>
    public var events: any EventServiceProtocol
    private let base: any ServiceContainer<Mode>

    /// All four of a container, to begin with. It is also what is connected and shut down.
    public init(_ base: some ServiceContainer<Mode>) {
        self.base = base
        markets = base.markets
        trading = base.trading
        portfolio = base.portfolio
        events = base.events
    }

    public func connect() async throws(ServiceError) { try await base.connect() }
    public func disconnect() async { await base.disconnect() }
    public func shutDown() async { await base.shutDown() }
}
