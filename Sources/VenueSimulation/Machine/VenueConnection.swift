import StreamCore

/// What a simulated venue knows of one connection.
struct VenueConnection: Sendable {
    /// A topic that was requested later than others, where each is to be whole: what of it went by already.
    struct Backlog {
        var topic: VenueTopic
        var next: VenueTimeline.Place
        var end: VenueTimeline.Place
    }

    let number: Int
    let faults: VenueFaults
    var rules: any VenueRules
    let openedAt: Double

    var topics: Set<VenueTopic> = []
    /// Its own, where each connection has the whole recording.
    var timeline: VenueTimeline?
    /// The next message to play; `nil` before the first subscription.
    var cursor: VenueTimeline.Place?
    var backlog: [Backlog] = []
    var hasEnded = false
    /// Messages of the recording that were sent, and those with trades that were to be.
    var played = 0
    var trades = 0

    var isWritable = true
    /// The venue hung up.
    var isOver = false
    /// Whether anything was sent since the last heartbeat.
    var hasSentData = false
    /// Answers that wait for data to come before them.
    var heldAnswers: [String] = []
    /// Requests that are received later.
    var delayed: [(due: Double, bytes: [UInt8], isText: Bool)] = []

    /// Until when a heartbeat of the client must come.
    var silenceDeadline: Double?
    /// Until when a subscription must come.
    var subscriptionDeadline: Double?
    var nextHeartbeat: Double?
    var nextPing: Double?
    /// The ping that was not answered yet.
    var openPing: (payload: [UInt8], deadline: Double)?
    var endsAt: Double?
    var farewellAt: Double?
    var bucket: TokenBucket?

    init(
        number: Int, faults: VenueFaults, rules: any VenueRules, facts: VenueFacts, settings: VenueSettings, now: Double
    ) {
        self.number = number
        self.faults = faults
        self.rules = rules
        openedAt = now
        silenceDeadline = facts.clientHeartbeat.map { now + $0 }
        subscriptionDeadline = facts.subscriptionDeadline.map { now + $0 }
        if !faults.stopsHeartbeats {
            nextHeartbeat = facts.heartbeatInterval.map { now + $0 }
            nextPing = facts.pings.map { now + $0.interval }
        }
        if let age = faults.maximumAge ?? settings.maximumAge ?? facts.maximumAge {
            endsAt = now + age
            farewellAt = now + age - min(60, age / 10)
        }
        bucket = facts.clientMessages.map { TokenBucket(rate: $0.perSecond, burst: $0.burst, now: now) }
    }

    /// Whether the fault of falling silent is there.
    var isSilent: Bool { faults.silentAfter.map { played >= $0 } ?? false }

    /// The earliest of what is to happen by the clock, playing apart.
    var nextTimer: Double? {
        guard !isOver else { return nil }
        let times = [
            silenceDeadline, subscriptionDeadline, nextHeartbeat, nextPing, openPing?.deadline, endsAt, farewellAt,
            delayed.first?.due,
        ]
        return times.compactMap { $0 }.min()
    }
}
