internal import Foundation

/// The time of a session, in seconds from its start, from any Swift clock: on a test's clock an hour passes in no time.
public struct ConsultationClock: Sendable {
    /// Seconds since 1970 UTC at the start.
    public let epoch: Double
    public let now: @Sendable () -> Double
    /// Waits until a time; throws `CancellationError` where the task is cancelled.
    public let sleep: @Sendable (_ until: Double) async throws -> Void

    /// What is so close is due: a time of day in seconds is only known to a quarter of a microsecond, and who wakes a
    /// rounding too early must not sleep for nothing again and again.
    static let resolution = 1e-6

    /// - Parameters:
    ///   - clock: what is waited by.
    ///   - epoch: what time it is now, seconds since 1970 UTC.
    public init<C: Clock<Duration>>(_ clock: C, epoch: Double) {
        let origin = clock.now
        self.epoch = epoch
        now = { origin.duration(to: clock.now) / .seconds(1) }
        sleep = { try await clock.sleep(until: origin.advanced(by: .seconds($0)), tolerance: nil) }
    }

    /// The system's. Goes on through a change of the system's time.
    public static var system: ConsultationClock {
        ConsultationClock(ContinuousClock(), epoch: Date().timeIntervalSince1970)
    }
}
