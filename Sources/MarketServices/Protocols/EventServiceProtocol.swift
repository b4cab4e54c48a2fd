/// What happened, and how the connection is doing.
public protocol EventServiceProtocol: Sendable {
    /// Every event, in order. Up to 1,024 wait for a slow listener; one that is further behind gets a snapshot of the
    /// newest events that says how many changes it stands for.
    var eventStream: ServiceStream<ServiceUpdate<ServiceEvent>> { get }
    /// Every second. A slow listener gets the newest only.
    var wsHealthUpdates: ServiceStream<ServiceHealth> { get }

    /// Of a bounded log: very old events are gone.
    func fetchEvents(_ filter: EventFilter) async throws(ServiceError) -> [ServiceEvent]
}

extension EventServiceProtocol {
    /// The newest hundred.
    public func fetchEvents() async throws(ServiceError) -> [ServiceEvent] { try await fetchEvents(EventFilter()) }
}
