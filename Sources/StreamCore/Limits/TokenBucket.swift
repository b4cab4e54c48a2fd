/// Lets `rate` things through per second, and up to `burst` of them at once after a pause.
///
/// A value without a clock: the time is an argument, in seconds on a clock that does not go back. A time before the
/// last one counts as no time passed.
///
/// ```swift
/// var bucket = TokenBucket(rate: 20, burst: 20, now: now)
/// while bucket.consume(now: now) { sendOne() }
/// setTimer(at: bucket.nextAvailable)
/// ```
package struct TokenBucket: Sendable, Equatable {
    /// Tokens that come in per second, above zero.
    package let rate: Double
    /// The most tokens the bucket holds, at least 1.
    package let burst: Double
    /// Tokens at `updatedAt`, a fraction of one included.
    private var tokens: Double
    private var updatedAt: Double

    /// A full bucket.
    /// - Parameters:
    ///   - rate: per second; zero or less lets the burst through and nothing after it.
    ///   - burst: at least 1.
    package init(rate: Double, burst: Double, now: Double) {
        self.rate = max(0, rate)
        self.burst = max(1, burst)
        tokens = self.burst
        updatedAt = now
    }

    private mutating func fill(now: Double) {
        guard now > updatedAt else { return }
        tokens = min(burst, tokens + (now - updatedAt) * rate)
        updatedAt = now
    }

    /// Consumes `count` tokens if they are there.
    /// - Returns: whether they were.
    package mutating func consume(_ count: Double = 1, now: Double) -> Bool {
        fill(now: now)
        // A timer set for the very moment must find its token, although a time of day in seconds is only known to a
        // quarter of a microsecond.
        let slack = 2 * rate * now.ulp + 1e-9
        guard tokens + slack >= count else { return false }
        tokens = max(0, tokens - count)
        return true
    }

    /// When `consume()` will find its token, as things stand: now or earlier if it is there; infinite if never.
    package var nextAvailable: Double { nextAvailable(1) }

    /// When `consume(count)` will find its tokens; infinite where that is more than the bucket can hold.
    package func nextAvailable(_ count: Double) -> Double {
        guard tokens < count else { return updatedAt }
        guard count <= burst, rate > 0 else { return .infinity }
        return updatedAt + (count - tokens) / rate
    }
}
