internal import TradingCore

struct LiveEventService<Mode: TradingMode>: EventServiceProtocol {
    let account: AccountID<Mode>
    let rest: RESTClient
    let state: LiveState<Mode>

    var eventStream: ServiceStream<ServiceUpdate<ServiceEvent>> { state.channels.events.stream }
    var wsHealthUpdates: ServiceStream<ServiceHealth> { state.channels.health.stream }

    func fetchEvents(_ filter: EventFilter) async throws(ServiceError) -> [ServiceEvent] {
        try await rest.call(
            "GET", ["v1", "events"],
            query: [
                ("account", account.description), ("type", filter.type?.rawValue), ("symbol", filter.symbol),
                ("limit", "\(filter.limit)"),
            ], as: EventsDocument.self
        ).events
    }
}
