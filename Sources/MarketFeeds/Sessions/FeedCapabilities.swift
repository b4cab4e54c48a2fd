/// What a feed can do, for `candlewire feeds` and for people who choose one.
public struct FeedCapabilities: Sendable, Equatable {
    /// How missing trades are noticed.
    public enum Gaps: String, Sendable {
        /// Trades are numbered without holes.
        case numbers = "by number"
        /// Only by the time without a connection.
        case outages = "by outage"
    }

    public var gaps: Gaps
    /// Repeated trades are recognised.
    public var detectsDuplicates = true
    /// Subscriptions are acknowledged.
    public var acknowledges = true
    /// Trades say whether the taker bought or sold.
    public var reportsSides = true
    public var needsKey = false
    /// Nothing answers a request, and a symbol may be quiet for hours: what was requested counts as granted.
    public var assumesGranted = false
    /// What is not known for sure about it, in a sentence; `nil`: nothing.
    public var caveat: String?
}

/// What a venue allows.
public struct FeedLimits: Sendable, Equatable {
    /// Symbols of one connection; more make further connections.
    public var symbolsPerConnection: Int
    /// Symbols in one request.
    public var symbolsPerRequest: Int
    /// Messages a second to the venue, and the most at once.
    public var messagesPerSecond: Double
    public var messageBurst: Double
    /// Seconds after which a connection is replaced, before the venue cuts it; `nil`: it cuts none by age.
    public var rotation: Double?
    /// Seconds until a request must be answered.
    public var answerTime = 10.0
}

/// How a dead connection is noticed.
public enum FeedLiveness: Sendable, Equatable {
    /// The venue sends something at least this often, in seconds, with or without trades. Twice without is its end.
    case traffic(every: Double)
    /// A ping of the venue's own protocol, sent this often, is answered by a heartbeat.
    case ping(every: Double, text: String)
}
