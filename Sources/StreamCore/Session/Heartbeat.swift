/// Finds out whether the peer is still there: a ping now and then, with a deadline on its answer, and the round-trip
/// time on the way.
public struct Heartbeat: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// A ping frame of RFC 6455 section 5.5.2.
        case webSocketPing
        /// A message of the application's protocol, where ping frames cannot be sent (browsers).
        case message
    }

    public struct Configuration: Sendable, Equatable {
        /// Seconds between two pings.
        public var interval = 15.0
        /// Seconds until the answer must be there.
        public var deadline = 10.0
        public var kind = Kind.webSocketPing

        public init(interval: Double = 15, deadline: Double = 10, kind: Kind = .webSocketPing) {
            self.interval = interval
            self.deadline = deadline
            self.kind = kind
        }
    }

    /// What is to be done.
    package enum Verdict: Sendable, Equatable {
        case nothing
        case ping
        case dead
    }

    /// Seconds allowed for the answer after the process slept, or the network changed.
    static let shortDeadline = 3.0

    private let configuration: Configuration
    /// When `check` is to be called next. Received messages do not move it, so that a timer need not be set per
    /// message.
    package private(set) var dueAt: Double
    private var sentAt: Double?
    private var receivedAt: Double
    private var allowance: Double
    /// The ping under way was sent because the timer came very late.
    private var isSecondChance = false
    /// Two pings are under way, so that an answer does not measure the time (Karn's rule).
    private var isAmbiguous = false
    /// Smoothed round-trip time in seconds, as RFC 6298 section 2 smooths it; `nil` before the first answer.
    package private(set) var roundTrip: Double?

    package init(_ configuration: Configuration = Configuration(), now: Double) {
        self.configuration = configuration
        dueAt = now + configuration.interval
        receivedAt = now
        allowance = configuration.deadline
    }

    /// Something came from the peer, whatever it was.
    package mutating func received(now: Double) { receivedAt = now }

    /// The answer to the ping came.
    /// - Returns: the smoothed round-trip time; `nil` where there is none, or no ping was under way.
    package mutating func answered(now: Double) -> Double? {
        receivedAt = now
        guard let sentAt else { return nil }
        // An answer that lay unread while the process slept does not measure the line either.
        let isUnknown = isAmbiguous || now - dueAt > lateness
        self.sentAt = nil
        dueAt = max(now, sentAt + configuration.interval)
        isSecondChance = false
        isAmbiguous = false
        guard !isUnknown else { return roundTrip }
        let sample = max(0, now - sentAt)
        roundTrip = roundTrip.map { $0 + (sample - $0) / 8 } ?? sample
        return roundTrip
    }

    /// Makes a ping due at once, to be answered quickly: the network changed.
    package mutating func probe(now: Double) -> Verdict {
        guard sentAt == nil else { return .nothing }
        return ping(now: now, allowance: min(Self.shortDeadline, configuration.deadline))
    }

    private mutating func ping(now: Double, allowance: Double) -> Verdict {
        sentAt = now
        self.allowance = allowance
        dueAt = now + allowance
        return .ping
    }

    /// A timer that is later than this was not late by accident: the process slept.
    private var lateness: Double { max(1, configuration.deadline / 2) }

    /// To be called at or after `dueAt`.
    ///
    /// A timer that comes very late means that the process slept: the answer may have come meanwhile and be unread, or
    /// the connection may have died long ago. One ping with a short deadline shows it.
    package mutating func check(now: Double) -> Verdict {
        guard now >= dueAt else { return .nothing }
        let isLate = now - dueAt > lateness
        let short = min(Self.shortDeadline, configuration.deadline)
        guard let sentAt else {
            isSecondChance = isLate
            return ping(now: now, allowance: isLate ? short : configuration.deadline)
        }
        if isLate, !isSecondChance {
            isSecondChance = true
            isAmbiguous = true
            return ping(now: now, allowance: short)
        }
        // A large snapshot on a slow line keeps the answer behind it: what arrives shows that the peer lives, but not
        // that it receives what we send, so the wait has an end.
        let end = min(receivedAt + allowance, sentAt + 3 * allowance)
        guard end > now else { return .dead }
        dueAt = end
        return .nothing
    }
}
