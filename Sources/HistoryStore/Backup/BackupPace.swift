import Foundation

/// Spreads what a backup reads over time, so that the disk has time for others.
struct BackupPace {
    /// Bytes a second; `nil`: as fast as it goes.
    let limit: Double?
    private var began: ContinuousClock.Instant
    private var bytes = 0.0

    init(limit: Double?, now: ContinuousClock.Instant) {
        self.limit = limit
        began = now
    }

    /// How long to wait after these bytes. What was not used for a second is not made up for.
    mutating func add(_ count: Int, now: ContinuousClock.Instant) -> Duration {
        guard let limit else { return .zero }
        bytes += Double(count)
        let wait = Duration.seconds(bytes / limit) - began.duration(to: now)
        if wait < .seconds(-1) { (began, bytes) = (now, 0) }
        return max(.zero, wait)
    }
}

/// A pace that waits, for the copying of one database after the other.
final class Pacer {
    private var pace: BackupPace

    init(limit: Double?) { pace = BackupPace(limit: limit, now: .now) }

    func wait(after count: Int) {
        let duration = pace.add(count, now: .now)
        if duration > .zero { Thread.sleep(forTimeInterval: duration / .seconds(1)) }
    }
}
