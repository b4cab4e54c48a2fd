import ServiceLifecycle
import Synchronization

/// Whether clients should be sent to this server, for `/readyz` and `/health`. Any thread may read and change it.
public final class Readiness: Sendable {
    public enum State: Sendable {
        /// The store or the feeds are not there yet.
        case starting
        case ready
        /// The server is stopping, or about to: it answers what it has, and wants nothing new.
        case draining
    }

    private let state = Mutex<(current: State, drainingSince: ContinuousClock.Instant?)>((.starting, nil))

    public init() {}

    public var current: State { state.withLock(\.current) }

    /// How long ago the server was told to stop; `nil`: it was not.
    var drainingTime: Duration? { state.withLock { $0.drainingSince?.duration(to: .now) } }

    /// The store is open and the feeds were started. Does nothing in a server that is stopping.
    func started() {
        state.withLock { if $0.current == .starting { $0.current = .ready } }
    }

    private func drain() { state.withLock { $0 = (.draining, .now) } }

    /// Ends the readiness first when the process is stopped, and then lets the other services stop, at once or after the time
    /// that a load balancer needs to notice.
    struct Drain: Service {
        let readiness: Readiness
        let delay: Duration
        /// Called when the readiness has ended.
        let began: @Sendable () -> Void

        func run() async throws {
            do {
                try await gracefulShutdown()
            } catch {
                // Cancelled: a service that returned would end the group with an error of its own.
                drain()
                throw error
            }
            drain()
            if delay > .zero { try? await Task.sleep(for: delay) }
        }

        private func drain() {
            readiness.drain()
            began()
        }
    }
}
