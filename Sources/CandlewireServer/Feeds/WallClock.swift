import Foundation

/// The time of day.
enum WallClock {
    /// Seconds since 1970 UTC, to the microsecond.
    static func now() -> Double { (Date().timeIntervalSince1970 * 1e6).rounded(.down) / 1e6 }
}
