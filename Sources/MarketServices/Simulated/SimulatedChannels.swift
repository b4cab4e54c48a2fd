internal import TradingCore

/// The streams of the simulated services.
struct SimulatedChannels: Sendable {
    let markets = ServiceChannel<[MarketInfo]>.values()
    let positions = ServiceChannel<[Position<Paper>]>.values()
    let orders = ServiceChannel<ServiceUpdate<Order<Paper>>>.changes()
    let fills = ServiceChannel<ServiceUpdate<Fill<Paper>>>.changes()
    let portfolio = ServiceChannel<[Portfolio]>.values()
    let events = ServiceChannel<ServiceUpdate<ServiceEvent>>.changes()
    let health = ServiceChannel<ServiceHealth>.values()

    func finish() {
        markets.finish()
        positions.finish()
        orders.finish()
        fills.finish()
        portfolio.finish()
        events.finish()
        health.finish()
    }
}

/// The way from a service to the world.
struct SimulatedLink: Sendable {
    let world: SimulatedWorld
    let channels: SimulatedChannels
    let clock: ServiceClock
    let latency: Double

    /// Lets as much time go by as fetching takes.
    func travel() async throws(ServiceError) {
        guard latency > 0 else { return }
        do {
            try await clock.sleep(clock.now() + latency)
        } catch {
            throw ServiceError(.closed, message: "The task was cancelled.")
        }
    }
}
