internal import StreamCore

/// How often each user may ask, over all conversations together: tokens that come back with time.
public struct UserAllowances: Sendable {
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
    /// - Parameter users: where whoever asks may take any name, and a new name each time.
    public init(rate: Double = 0.5, burst: Double = 10, users: Double? = nil) {
        self.rate = rate
        self.burst = burst
        self.users = users
    }

    /// Takes the permission for one message, or for one conversation that begins without any.
    /// - Returns: `nil` with it; otherwise the reason, with the seconds until there is one.
    public mutating func refusal(of user: String, now: Double) -> MessageRefusal? {
        take(user, now: now).map { wait in
            MessageRefusal(
                "rate_limited", "Too many messages; wait a moment.",
                more: ["retry_after": .number(wait)])
        }
    }

    /// Takes one permission, whatever for.
    /// - Returns: `nil` with it; otherwise the seconds until there is one, in tenths and rounded up.
    public mutating func take(_ user: String, now: Double) -> Double? {
        if buckets.count >= sweepAt { sweep(now: now) }
        let key = UserKey(user)
        if let wait = Self.take(&buckets[key], rate: rate, burst: burst, now: now) { return wait }
        return users.flatMap { Self.take(&shared, rate: rate * $0, burst: burst * $0, now: now) }
    }

    /// - Returns: `nil` where there was one; otherwise the seconds until there is.
    private static func take(_ bucket: inout TokenBucket?, rate: Double, burst: Double, now: Double) -> Double? {
        var filled = bucket ?? TokenBucket(rate: rate, burst: burst, now: now)
        let isTaken = filled.take(now: now)
        bucket = filled
        return isTaken ? nil : (max(0, filled.nextAvailable - now) * 10).rounded(.up) / 10
    }

    /// A full bucket says nothing: who comes again gets a new one.
    private mutating func sweep(now: Double) {
        buckets = buckets.filter { _, bucket in bucket.nextAvailable(bucket.burst) > now }
        sweepAt = max(256, 2 * buckets.count)
    }

    /// Users who asked so recently that it still counts; for a diagnostics page.
    public var count: Int { buckets.count }
}
