internal import TradingCore

/// The way from a service to the world.
struct SimulatedLink: Sendable {
    let world: SimulatedWorld
    let channels: ServiceChannels<Paper>
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
