internal import StreamCore

/// How often messages may be sent, whoever counts them.
public protocol MessageAllowances {
    /// Uses one permission for a message, or for a conversation that begins without any.
    /// - Parameter user: whose conversation it is.
    /// - Returns: `nil` with it; otherwise the reason, with the seconds until there is one.
    mutating func refusal(of user: String, now: Double) -> MessageRefusal?
}

/// How often each user may send, over all conversations together: tokens that come back with time.
public struct UserAllowances: MessageAllowances, Sendable {
    /// Messages a second in the long run.
    public let rate: Double
    /// Messages at once after a pause.
    public let burst: Double
    /// How many users' allowances all of them have together; `nil`: each has its own.
    public let users: Double?
    private var buckets: [UserKey: TokenBucket] = [:]
    private var shared: TokenBucket?
    private var sweepAt = 256

    /// The default is one message in two seconds, and 10 at once.
    /// - Parameter users: for a server where a user may choose any name, and a new one each time.
    public init(rate: Double = 0.5, burst: Double = 10, users: Double? = nil) {
        self.rate = rate
        self.burst = burst
        self.users = users
    }

    public mutating func refusal(of user: String, now: Double) -> MessageRefusal? {
        use(user, now: now).map { wait in
            MessageRefusal(
                "rate_limited", "Too many messages; wait a moment.",
                more: ["retry_after": .number(wait)])
        }
    }

    /// Uses one permission, whatever for.
    /// - Returns: `nil` with it; otherwise the seconds until there is one, in tenths and rounded up.
    public mutating func use(_ user: String, now: Double) -> Double? {
        if buckets.count >= sweepAt { sweep(now: now) }
        let key = UserKey(user)
        // New names cost memory only as fast as all users together may send.
        if buckets[key] == nil, let shared, shared.nextAvailable > now {
            return ((shared.nextAvailable - now) * 10).rounded(.up) / 10
        }
        if let wait = Self.use(&buckets[key], rate: rate, burst: burst, now: now) { return wait }
        return users.flatMap { Self.use(&shared, rate: rate * $0, burst: burst * $0, now: now) }
    }

    /// - Returns: `nil` where there was one; otherwise the seconds until there is.
    private static func use(_ bucket: inout TokenBucket?, rate: Double, burst: Double, now: Double) -> Double? {
        var filled = bucket ?? TokenBucket(rate: rate, burst: burst, now: now)
        let isAllowed = filled.consume(now: now)
        bucket = filled
        return isAllowed ? nil : (max(0, filled.nextAvailable - now) * 10).rounded(.up) / 10
    }

    /// Removes full buckets: a user who returns gets a new one.
    private mutating func sweep(now: Double) {
        buckets = buckets.filter { _, bucket in bucket.nextAvailable(bucket.burst) > now }
        sweepAt = max(256, 2 * buckets.count)
    }

    /// Users whose last request is so recent that it still counts; for a diagnostics page.
    public var count: Int { buckets.count }
}

/// A user's name as it is compared everywhere: byte by byte, as the store does it.
///
/// Swift treats texts as equal that look the same, an "é" of one scalar and one of two. A login service that knows both as
/// two people would have them share their conversations.
package struct UserKey: Hashable, Sendable {
    private let name: String

    package init(_ name: String) { self.name = name }

    package static func == (one: UserKey, other: UserKey) -> Bool { one.name.utf8.elementsEqual(other.name.utf8) }

    package func hash(into hasher: inout Hasher) {
        var name = name
        name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
