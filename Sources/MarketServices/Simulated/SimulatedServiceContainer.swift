public import TradingCore

/// Markets, trading, portfolio and events without a network: for the first day of an application, for its previews and
/// for its tests. Behind the same protocols as `LiveServiceContainer`.
///
/// ```swift
/// let services = try SimulatedServiceContainer()
/// try await services.connect()
/// for await markets in services.markets.marketUpdates { show(markets) }
/// ```
///
/// One cycle is one chain (every two seconds): all markets trade once and are published, then the positions are valued
/// with those very trades, then the portfolio with those positions. No reader sees a position at another price than its
/// market's. Fills, events and health have their own times, see `SimulationSettings`.
///
/// It has one task, which `shutDown` ends, and letting go of the container ends too.
public final class SimulatedServiceContainer: ServiceContainer {
    public typealias Mode = Paper

    public var markets: any MarketServiceProtocol { services }
    public var trading: any TradingServiceProtocol<Paper> { services }
    public var portfolio: any PortfolioServiceProtocol<Paper> { services }
    public var events: any EventServiceProtocol { services }

    private let services: SimulatedServices
    private var world: SimulatedWorld { services.world }

    /// - Parameter clock: the time of everything in it; a test advances its own.
    /// - Throws: `ServiceError.rejected` for settings that no paper exchange can have, and for an account's name.
    /// - Complexity: makes the past of all markets: a tenth of a second in a release build.
    public init(
        _ settings: SimulationSettings = SimulationSettings(), clock: ServiceClock = .system
    ) throws(ServiceError) {
        let channels = ServiceChannels<Paper>()
        services = SimulatedServices(
            world: try SimulatedWorld(settings, channels: channels, clock: clock), channels: channels, clock: clock,
            latency: settings.latency)
    }

    deinit {
        let world = world
        Task { await world.shutDown() }
    }

    public func connect() async throws(ServiceError) { try await world.connect() }
    public func disconnect() async { await world.disconnect() }
    public func shutDown() async { await world.shutDown() }
}
