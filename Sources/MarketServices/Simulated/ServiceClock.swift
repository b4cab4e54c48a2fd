import Foundation

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
    public static var system: ServiceClock {
        ServiceClock(ContinuousClock(), startingAt: Date().timeIntervalSince1970)
    }
}
