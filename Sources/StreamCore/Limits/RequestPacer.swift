/// Decides when the next request to a REST interface may go out: a token bucket, a least interval, and pauses that the
/// server requested.
///
/// A value without a clock; times are seconds on a clock that does not go back. All callers of one server share one.
public struct RequestPacer: Sendable {
    public struct Configuration: Sendable, Equatable {
        /// Requests a second in the long run.
        public var rate: Double
        /// Requests at once after a pause.
        public var burst: Double
        /// Seconds between two requests, whatever the bucket holds.
        public var minimumInterval: Double
        /// Seconds of the first pause after a 429 or 503 without a `Retry-After`; each further one doubles it.
        public var firstPause: Double
        /// The longest pause of our own choice.
        public var maxPause: Double
        /// The longest pause that the server requested: an hour of a ban is kept, a date in another year is not.
        public var maxRetryAfter: Double

        /// The default is one request a second.
        public init(
            rate: Double = 1, burst: Double = 1, minimumInterval: Double = 1, firstPause: Double = 2,
            maxPause: Double = 300, maxRetryAfter: Double = 86_400
        ) {
            self.rate = rate
            self.burst = burst
            self.minimumInterval = minimumInterval
            self.firstPause = firstPause
            self.maxPause = maxPause
            self.maxRetryAfter = maxRetryAfter
        }
    }

    package let configuration: Configuration
    private var bucket: TokenBucket
    private var nextByInterval = -Double.infinity
    /// No request goes out before; in the past where no pause holds.
    package private(set) var pausedUntil = -Double.infinity
    /// Refusals in a row.
    package private(set) var refusals = 0

    package init(_ configuration: Configuration = Configuration(), now: Double) {
        self.configuration = configuration
        bucket = TokenBucket(rate: configuration.rate, burst: configuration.burst, now: now)
    }

    /// Acquires the permission for one request, if there is one.
    package mutating func acquire(now: Double) -> Bool {
        guard now >= pausedUntil, now >= nextByInterval, bucket.consume(now: now) else { return false }
        nextByInterval = now + configuration.minimumInterval
        return true
    }

    /// When `acquire` is to be tried again; infinite where the rate is zero.
    package var nextAvailable: Double { max(bucket.nextAvailable, nextByInterval, pausedUntil) }

    /// What the server answered. 429, 503 and 418 (Binance's ban) pause all requests; anything else ends a series of
    /// refusals.
    /// - Parameter retryAfter: seconds to wait that the server requested.
    package mutating func answered(status: Int, retryAfter: Double?, now: Double) {
        guard status == 429 || status == 503 || status == 418 else {
            refusals = 0
            return
        }
        refusals += 1
        // An answer to an older request must not shorten the pause of a newer one.
        pausedUntil = max(pausedUntil, now + max(0, retryAfter.map { min($0, configuration.maxRetryAfter) } ?? guess))
    }

    /// How long to wait without a `Retry-After`.
    private var guess: Double {
        Backoff.Configuration(first: configuration.firstPause, cap: configuration.maxPause).wait(before: refusals)
    }
}
