import Synchronization
import WebSocketTransport

/// The server's time, which no jump of the system's clock moves: see `ClockWatch`.
enum WallClock {
    /// Seconds since 1970 UTC, to the microsecond. For any thread; two clock reads and no lock.
    static func now() -> Double {
        ((steady() + Double(bitPattern: offset.load(ordering: .relaxed))) * 1e6).rounded(.down) / 1e6
    }

    /// Seconds that the system's clock is ahead of this one; 0 where it is followed.
    static var systemLead: Double { Double(bitPattern: lead.load(ordering: .relaxed)) }

    /// Compares the clocks; to be called once a second.
    static func compare() -> ClockWatch.Change? {
        let venueTime = Double(bitPattern: newestVenueTime.exchange(Double.nan.bitPattern, ordering: .relaxed))
        return watch.withLock { watch in
            let change = watch.compare(
                steady: steady(), system: wallClock(), venueTime: venueTime.isNaN ? nil : venueTime)
            offset.store(watch.offset.bitPattern, ordering: .relaxed)
            lead.store(watch.lead.bitPattern, ordering: .relaxed)
            return change
        }
    }

    /// The time in a message that a venue has just sent: where the clocks disagree, it decides.
    static func note(venueTime: Double) {
        if systemLead != 0 { newestVenueTime.store(venueTime.bitPattern, ordering: .relaxed) }
    }

    private static let watch = Mutex(ClockWatch(steady: steady(), system: wallClock()))
    private static let offset = Atomic(watch.withLock { $0.offset.bitPattern })
    private static let lead = Atomic(0.0.bitPattern)
    private static let newestVenueTime = Atomic(Double.nan.bitPattern)

    private static let start = ContinuousClock.now

    /// Seconds on a clock that never goes back, and that counts while the machine sleeps.
    static func steady() -> Double { start.duration(to: .now) / .seconds(1) }
}
