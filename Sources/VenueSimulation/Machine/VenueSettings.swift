/// How a simulated venue plays its recording, and what goes wrong.
public struct VenueSettings: Sendable {
    /// How fast.
    public enum Pace: Sendable, Equatable {
        /// A factor of the recorded speed, for all connections at the same time, from the first subscription on. Who
        /// comes later gets what comes from then on, and who was away has missed it.
        case recorded(Double = 1)
        /// As fast as the reader reads it: each connection has the whole recording from its beginning, and each topic is
        /// whole also where it is requested later than others.
        case asFastAsRead
    }

    /// What becomes of the times in the messages.
    public enum Times: Sendable, Equatable {
        case asRecorded
        /// Moved by whole minutes, so that the recording plays now: never ahead of the clock, and at most 290 s behind.
        case now
    }

    public var pace: Pace
    public var times: Times
    /// Whether it restarts at its end; where times are moved, a whole number of minutes later, and trades count on.
    public var loops: Bool
    /// By connection, in the order they come; those beyond have none.
    public var faults: [VenueFaults]
    /// In place of the venue's own, seconds.
    public var maximumAge: Double?
    /// Requests that placed or cancelled an order whose answers get lost, counted from 0: they are carried out, and the
    /// connection ends without an answer.
    public var lostOrderAnswers: Set<Int> = []

    public init(
        pace: Pace = .asFastAsRead, times: Times = .asRecorded, loops: Bool = false, faults: [VenueFaults] = [],
        maximumAge: Double? = nil
    ) {
        self.pace = pace
        self.times = times
        self.loops = loops
        self.faults = faults
        self.maximumAge = maximumAge
    }

    /// The most that moved times may be behind the clock, seconds: clients that validate drop ticks of 300.
    static let oldest = 290.0

    /// Why a recording of this length cannot be played this way, in a sentence; `nil`: it can.
    ///
    /// Moved times run with the pace. They begin so far back that they do not overtake the clock, or, where they are slower
    /// than it, that they do not fall behind; and up to a minute more, because they are moved by whole minutes.
    public func problem(duration: Double) -> String? {
        guard times == .now, VenueTimeline.lag(duration: duration, pace: pace) + 60 > Self.oldest else { return nil }
        return "At this speed the times of \(Int(duration.rounded(.up))) s could not stay within \(Int(Self.oldest)) s "
            + "of the clock; play it closer to its own pace, or leave the times as recorded."
    }
}
