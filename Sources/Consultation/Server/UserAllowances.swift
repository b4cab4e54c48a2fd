internal import StreamCore

/// How often each user may ask, over all conversations together: tokens that come back with time.
public struct UserAllowances: Sendable {
    /// Messages a second in the long run.
    public let rate: Double
    /// Messages at once after a pause.
    public let burst: Double
    private var buckets: [String: TokenBucket] = [:]
    private var sweepAt = 256

    /// The default is one message in two seconds, and 10 at once.
    public init(rate: Double = 0.5, burst: Double = 10) {
        self.rate = rate
        self.burst = burst
    }

    /// Takes the permission for one message.
    /// - Returns: `nil` with it; otherwise the seconds until there is one.
    mutating func take(_ user: String, now: Double) -> Double? {
        if buckets.count >= sweepAt { sweep(now: now) }
        var bucket = buckets[user] ?? TokenBucket(rate: rate, burst: burst, now: now)
        let isTaken = bucket.take(now: now)
        buckets[user] = bucket
        return isTaken ? nil : max(0, bucket.nextAvailable - now)
    }

    /// A full bucket says nothing: who comes again gets a new one.
    private mutating func sweep(now: Double) {
        buckets = buckets.filter { _, bucket in bucket.nextAvailable(bucket.burst) > now }
        sweepAt = max(256, 2 * buckets.count)
    }

    /// Users who asked so recently that it still counts; for a diagnostics page.
    public var count: Int { buckets.count }
}
