/// Decides whether the server's time follows the system's clock.
///
/// The server's time runs on a clock that never goes back and that counts while the machine sleeps. The system's clock runs
/// at the same rate; the two differ only where the system's was set: by NTP by a moment, by an administrator, an empty
/// battery or a restored machine by any amount. The server follows small steps. It does not follow large ones, because
/// candles, orders and the age of conversations would be dated by them for good.
struct ClockWatch: Sendable {
    /// The largest step in seconds that is followed without a venue's message.
    static let maxStep = 10.0
    /// Seconds that the time in a venue's message may differ from the right time.
    static let venueTolerance = 10.0

    enum Change: Equatable {
        /// The system's clock is this many seconds ahead of the server's time, which goes on as before.
        case jumped(by: Double)
        /// The jump is over: the two agree again.
        case agrees
        /// The server's time was set by this many seconds, because a venue's messages agree with the system's clock.
        case followed(by: Double)
    }

    /// The server's time minus the steady clock's, in seconds.
    private(set) var offset: Double
    /// Seconds that the system's clock is ahead of the server's time; 0 where the server follows it.
    private(set) var lead = 0.0

    /// - Parameters:
    ///   - steady: the clock that never goes back, in seconds.
    ///   - system: the system's clock, seconds since 1970 UTC.
    init(steady: Double, system: Double) { offset = system - steady }

    /// Compares the clocks; to be called once a second.
    /// - Parameter venueTime: the time in a venue's newest message of the last seconds, seconds since 1970 UTC; `nil`: none.
    /// - Returns: what is to be reported.
    mutating func compare(steady: Double, system: Double, venueTime: Double?) -> Change? {
        let step = system - (steady + offset)
        guard abs(step) > Self.maxStep else {
            offset += step
            defer { lead = 0 }
            return lead == 0 ? nil : .agrees
        }
        if let venueTime, abs(venueTime - system) <= Self.venueTolerance {
            offset += step
            lead = 0
            return .followed(by: step)
        }
        // One report for each jump; what is left of it drifts.
        defer { lead = step }
        return abs(step - lead) > Self.maxStep ? .jumped(by: step) : nil
    }
}
