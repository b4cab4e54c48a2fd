/// Token buckets by key, in a table of bounded size. A value; time comes from outside.
///
/// A bucket fills at a steady rate up to its size, and what is done takes some of it out. One that is full says nothing that
/// a new one would not, so it can be forgotten.
struct BucketTable<Key: Hashable & Sendable>: Sendable {
    struct Rate: Sendable, Hashable {
        var perSecond: Double
        var burst: Double
    }

    /// What is left for a key.
    struct Balance: Sendable, Equatable {
        /// `nil`: it was spent; else seconds until it could be.
        var wait: Double?
        var remaining: Double
        /// Seconds until the bucket is full again.
        var reset: Double
    }

    private struct Bucket {
        /// What was taken out and has not come back.
        var spent: Double
        var time: Double
        /// Its owner's rate.
        var perSecond: Double
    }

    let capacity: Int
    private var buckets: [Key: Bucket] = [:]

    init(capacity: Int) { self.capacity = max(4, capacity) }

    var count: Int { buckets.count }

    /// Takes `cost` out of the key's bucket, where there is so much. A cost beyond the bucket's size takes all of a full one:
    /// what could never be done would be refused elsewhere.
    /// - Parameter now: seconds on a clock that never goes back.
    mutating func spend(_ cost: Double, of key: Key, _ rate: Rate, now: Double) -> Balance {
        let cost = min(max(0, cost), rate.burst)
        var spent = spent(key, now)
        let wait = wait(for: cost, of: key, rate, now: now)
        if wait == nil {
            spent += cost
            store(Bucket(spent: spent, time: now, perSecond: rate.perSecond), for: key, now)
        }
        return Balance(
            wait: wait, remaining: max(0, rate.burst - spent), reset: spent / rate.perSecond)
    }

    /// Seconds until so much could be taken out; `nil`: now.
    func wait(for cost: Double, of key: Key, _ rate: Rate, now: Double) -> Double? {
        let wait = max(0, spent(key, now) + min(cost, rate.burst) - rate.burst) / rate.perSecond
        return wait == 0 ? nil : wait
    }

    private func spent(_ key: Key, _ now: Double) -> Double { buckets[key].map { spent($0, now) } ?? 0 }

    private func spent(_ bucket: Bucket, _ now: Double) -> Double {
        max(0, bucket.spent - max(0, now - bucket.time) * bucket.perSecond)
    }

    private mutating func store(_ bucket: Bucket, for key: Key, _ now: Double) {
        if buckets[key] == nil, buckets.count >= capacity { makeRoom(now) }
        buckets[key] = bucket
    }

    /// Forgets the full ones and, where these are few, those nearest to it: a quarter at once, so that a table that stays
    /// full is not looked through for each new key.
    private mutating func makeRoom(_ now: Double) {
        buckets = buckets.filter { spent($0.value, now) > 0 }
        guard buckets.count > capacity * 3 / 4 else { return }
        let byTime = buckets.map { (key: $0.key, seconds: spent($0.value, now) / $0.value.perSecond) }
            .sorted { $0.seconds < $1.seconds }
        for (key, _) in byTime.prefix(buckets.count - capacity * 3 / 4) { buckets[key] = nil }
    }
}
