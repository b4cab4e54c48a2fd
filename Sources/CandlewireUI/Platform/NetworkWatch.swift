public import Observation

/// Passes the system's reports about the network on to what connects: clients end a wait at once when it comes back.
///
/// ```swift
/// let watch = NetworkWatch(NetworkWatch.systemChanges())
/// watch.add { services.networkChanged(isAvailable: $0) }
/// // In the view: .task { await watch.run() }
/// ```
@MainActor
@Observable
public final class NetworkWatch {
    @ObservationIgnored private let changes: AsyncStream<Bool>
    @ObservationIgnored private var listeners: [@MainActor (Bool) -> Void] = []
    /// The last report; `nil` before the first. A view that has a chart or a chat of its own observes it.
    public private(set) var isAvailable: Bool?

    /// - Parameter changes: whether there is a network, each time that is reported.
    public init(_ changes: AsyncStream<Bool>) { self.changes = changes }

    /// - Parameter listener: is called with each report that is another than the one before, for as long as this lives.
    public func add(_ listener: @escaping @MainActor (_ isAvailable: Bool) -> Void) { listeners.append(listener) }

    /// Passes reports on until the task is cancelled. The first one is how things are, and no change.
    public func run() async {
        for await report in changes where report != isAvailable {
            let isFirst = isAvailable == nil
            isAvailable = report
            if !isFirst || !report { for listener in listeners { listener(report) } }
        }
    }
}

#if canImport(Network)
    internal import Dispatch
    internal import Network

    extension NetworkWatch {
        /// The reports of the system's path monitor. It stops when the sequence is let go.
        public nonisolated static func systemChanges() -> AsyncStream<Bool> {
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                let monitor = NWPathMonitor()
                monitor.pathUpdateHandler = { path in continuation.yield(path.status == .satisfied) }
                continuation.onTermination = { _ in monitor.cancel() }
                monitor.start(queue: DispatchQueue(label: "candlewire.network"))
            }
        }
    }
#endif
