import Foundation

/// The time of day.
enum WallClock {
    /// Seconds since 1970 UTC, to the microsecond.
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return (Double(time.tv_sec) * 1e6 + Double(time.tv_nsec / 1000)) / 1e6
    }
}
