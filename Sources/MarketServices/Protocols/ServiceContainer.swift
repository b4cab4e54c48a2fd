public import TradingCore
internal import WebSocketTransport

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

/// The time of the services, in seconds since 1970 UTC, from any Swift clock: a test's clock makes an hour pass in no
/// time.
public struct ServiceClock: Sendable {
    /// The present time.
    public let now: @Sendable () -> Double
    /// Waits until a time; throws `CancellationError` where the task is cancelled.
    public let sleep: @Sendable (_ until: Double) async throws -> Void

    /// - Parameters:
    ///   - clock: what is waited by.
    ///   - start: what time it is now.
    public init<C: Clock<Duration>>(_ clock: C, startingAt start: Double) {
        let origin = clock.now
        now = { start + origin.duration(to: clock.now) / .seconds(1) }
        sleep = { time in
            try await clock.sleep(until: origin.advanced(by: .seconds(time - start)), tolerance: nil)
        }
    }

    /// The system's. Goes on through a change of the system's time.
    public static var system: ServiceClock { ServiceClock(ContinuousClock(), startingAt: wallClock()) }
}
