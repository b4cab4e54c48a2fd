public import MarketModel

/// One desired stream and how far its server has been brought to serve it.
struct Subscription {
    /// A request that has no answer yet.
    struct Pending {
        var id: Int
        var socket: SocketNumber
        /// The position that it is to recover from.
        var recover: StreamPosition?
        var answerBy: Double
    }

    var number: SubscriptionNumber
    /// What the application requested; without id and position.
    var requested: SubscribeRequest
    /// The symbol's number in the table of symbols.
    var symbol: Int
    var isPaused = false
    /// The socket whose messages count.
    var owner: SocketNumber?
    /// The owner has answered, and its snapshot is on its way; until this time.
    var snapshotBy: Double?
    /// The snapshot that follows holds nothing that was not delivered.
    var isSnapshotSuperfluous = false
    var pending: Pending?
    var progress = StreamProgress()
    var refusal: SessionRefusal?
    /// Why the next snapshot will have come; `nil`: what was delivered can be continued.
    var freshReason: SnapshotReason? = .first
    /// Waits for its turn to be requested.
    var isQueued = false
    /// Where it was last requested and not unsubscribed: the server may be sending it, used or not.
    var requestedOn: SocketNumber?
    /// Sendings a second in the last request.
    var requestedRate: Double?
    /// The connection broke off since it was last live.
    var wasLost = false
    /// The application knows that the symbol is stale, and not yet that it ticks again.
    var isReportedStale = false
    /// Requests in a row without an answer.
    var unanswered = 0
    /// Gaps in quick succession.
    var gapsInRow = 0
    var lastGapAt = -Double.infinity
    /// The next request is not made before.
    var requestAfter = -Double.infinity

    /// Whether its messages are delivered.
    var isLive: Bool { owner != nil && snapshotBy == nil }
    /// Whether the server may be sending it.
    var isRequested: Bool { owner != nil || pending != nil }

    /// The server serves it no longer, or is not listened to any more.
    mutating func detach() {
        owner = nil
        snapshotBy = nil
        isSnapshotSuperfluous = false
        pending = nil
    }
}

/// A server's no to a subscription.
public struct SessionRefusal: Sendable, Equatable {
    public var code: String
    public var message: String

    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}

/// How one subscription stands.
public struct SubscriptionInfo: Sendable, Equatable {
    public enum State: Sendable, Equatable {
        /// Not requested yet: not connected, or waiting for its turn.
        case waiting
        /// Requested, and not answered or not delivered yet.
        case subscribing
        case live
        /// The application paused it, or hides all.
        case paused
        case refused(SessionRefusal)
    }

    public var symbol: String
    public var timeframe: Timeframe
    public var state: State
    /// The last message delivered.
    public var position: StreamPosition?
    /// When the symbol last ticked, by the session's clock; `nil`: never.
    public var lastTickAt: Double?
    public var isStale: Bool

    /// Seconds since the symbol's last tick.
    public func age(now: Double) -> Double? { lastTickAt.map { max(0, now - $0) } }
}
