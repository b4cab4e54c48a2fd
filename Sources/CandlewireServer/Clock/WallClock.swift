import Synchronization
import WebSocketTransport

/// The server's time, which no jump of the system's clock moves: see `ClockWatch`.
final class WallClock: Sendable {
    /// This machine's.
    static let machine = WallClock(steady: { WallClock.steady() }, system: { wallClock() })

    private let steadyTime: @Sendable () -> Double
    private let systemTime: @Sendable () -> Double
    private let watch: Mutex<ClockWatch>
    private let offset: Atomic<UInt64>
    private let leadBits = Atomic(0.0.bitPattern)
    private let newestVenueTime = Atomic(Double.nan.bitPattern)

    /// - Parameters:
    ///   - steady: a clock that never goes back, in seconds.
    ///   - system: the system's clock, seconds since 1970 UTC.
    init(steady: @escaping @Sendable () -> Double, system: @escaping @Sendable () -> Double) {
        (steadyTime, systemTime) = (steady, system)
        let start = ClockWatch(steady: steady(), system: system())
        watch = Mutex(start)
        offset = Atomic(start.offset.bitPattern)
    }

    /// Seconds since 1970 UTC, to the microsecond. For any thread; two clock reads and no lock.
    func now() -> Double {
        ((steadyTime() + Double(bitPattern: offset.load(ordering: .relaxed))) * 1e6).rounded(.down) / 1e6
    }

    /// Seconds that the system's clock is ahead of this one; 0 where it is followed.
    var lead: Double { Double(bitPattern: leadBits.load(ordering: .relaxed)) }

    /// Compares the clocks; to be called once a second.
    func compare() -> ClockWatch.Change? {
        let venueTime = Double(bitPattern: newestVenueTime.exchange(Double.nan.bitPattern, ordering: .relaxed))
        return watch.withLock { watch in
            let change = watch.compare(
                steady: steadyTime(), system: systemTime(), venueTime: venueTime.isNaN ? nil : venueTime)
            offset.store(watch.offset.bitPattern, ordering: .relaxed)
            leadBits.store(watch.lead.bitPattern, ordering: .relaxed)
            return change
        }
    }

    /// The time in a message that a venue has just sent: where the clocks disagree, it decides.
    func note(venueTime: Double) {
        if lead != 0 { newestVenueTime.store(venueTime.bitPattern, ordering: .relaxed) }
    }

    // MARK: This machine's

    static func now() -> Double { machine.now() }
    static var systemLead: Double { machine.lead }

    private static let start = ContinuousClock.now

    /// Seconds on a clock that never goes back, and that counts while the machine sleeps.
    static func steady() -> Double { start.duration(to: .now) / .seconds(1) }
}
