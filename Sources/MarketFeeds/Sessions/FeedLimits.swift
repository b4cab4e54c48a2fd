/// What a venue allows.
public struct FeedLimits: Sendable, Equatable {
    /// Symbols of one connection; more make further connections.
    public var symbolsPerConnection: Int
    /// Symbols in one request.
    public var symbolsPerRequest: Int
    /// Messages a second to the venue, and so many at once.
    public var messagesPerSecond: Double
    public var messageBurst: Double
    /// Seconds after which a connection is replaced, before the venue cuts it; `nil`: it cuts none by age.
    public var rotation: Double?
    /// Seconds until a request must be answered.
    public var answerTime: Double

    public init(
        symbolsPerConnection: Int, symbolsPerRequest: Int, messagesPerSecond: Double, messageBurst: Double,
        rotation: Double? = nil, answerTime: Double = 10
    ) {
        self.symbolsPerConnection = symbolsPerConnection
        self.symbolsPerRequest = symbolsPerRequest
        self.messagesPerSecond = messagesPerSecond
        self.messageBurst = messageBurst
        self.rotation = rotation
        self.answerTime = answerTime
    }
}

/// How a dead connection is noticed.
public enum FeedLiveness: Sendable, Equatable {
    /// The venue says something at least this often, in seconds, with or without trades. Twice without is its end.
    case speaks(every: Double)
    /// A message of the venue's own protocol is answered by a heartbeat.
    case asks(every: Double, text: String)
}
