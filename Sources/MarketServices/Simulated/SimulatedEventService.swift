struct SimulatedEventService: EventServiceProtocol {
    let link: SimulatedLink

    var eventStream: ServiceStream<ServiceUpdate<ServiceEvent>> { link.channels.events.stream }
    var wsHealthUpdates: ServiceStream<ServiceHealth> { link.channels.health.stream }

    func fetchEvents(_ filter: EventFilter) async throws(ServiceError) -> [ServiceEvent] {
        try await link.travel()
        return await link.world.events(filter)
    }
}
