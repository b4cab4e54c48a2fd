/// What goes wrong on one connection of a simulated venue, to see what a client does about it.
///
/// ```swift
/// var settings = VenueSettings()
/// settings.faults = [VenueFaults(cutAfter: 100), VenueFaults(refuse: 503), VenueFaults(droppedTrades: 5..<8)]
/// ```
/// Messages are counted from 0 and without the venue's own answers and heartbeats.
public struct VenueFaults: Sendable, Equatable {
    /// The handshake is answered with this status instead of 101.
    public var refuse: Int?
    /// Seconds for the `Retry-After` of a refusal.
    public var retryAfter: Int?
    /// Cut without a farewell after this many messages of the recording.
    public var cutAfter: Int?
    /// Nothing at all is said after this many messages of the recording, and nothing closed; 0: not even a greeting.
    public var silentAfter: Int?
    /// Heartbeats are not sent, nor the venue's pings.
    public var stopsHeartbeats: Bool
    /// Messages with trades that are not sent, of those the client requested: a gap.
    public var droppedTrades: Range<Int>
    /// Everything a request leads to comes this many seconds later.
    public var answerDelay: Double
    /// This many messages of the recording come before the first answer.
    public var dataBeforeAnswer: Int
    /// Requests are not answered, and nothing is sent for them.
    public var ignoresRequests: Bool
    /// In place of the venue's own, seconds.
    public var maximumAge: Double?

    public init(
        refuse: Int? = nil, retryAfter: Int? = nil, cutAfter: Int? = nil, silentAfter: Int? = nil,
        stopsHeartbeats: Bool = false, droppedTrades: Range<Int> = 0..<0, answerDelay: Double = 0,
        dataBeforeAnswer: Int = 0, ignoresRequests: Bool = false, maximumAge: Double? = nil
    ) {
        self.refuse = refuse
        self.retryAfter = retryAfter
        self.cutAfter = cutAfter
        self.silentAfter = silentAfter
        self.stopsHeartbeats = stopsHeartbeats
        self.droppedTrades = droppedTrades
        self.answerDelay = answerDelay
        self.dataBeforeAnswer = dataBeforeAnswer
        self.ignoresRequests = ignoresRequests
        self.maximumAge = maximumAge
    }
}
