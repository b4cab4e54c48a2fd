/// Says when the next request to a REST interface may go out: a token bucket, a least interval, and pauses that the
/// server asked for.
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
        /// Seconds of the first pause after a 429 or 503 that does not say how long; each further one doubles it.
        public var firstPause: Double
        /// The longest pause that nobody asked for.
        public var longestPause: Double
        /// The longest pause that the server asked for: an hour of a ban is kept, a date in another year is not.
        public var longestWish: Double

        /// The default is one request a second.
        public init(
            rate: Double = 1, burst: Double = 1, minimumInterval: Double = 1, firstPause: Double = 2,
            longestPause: Double = 300, longestWish: Double = 86_400
        ) {
            self.rate = rate
            self.burst = burst
            self.minimumInterval = minimumInterval
            self.firstPause = firstPause
            self.longestPause = longestPause
            self.longestWish = longestWish
        }
    }

    public let configuration: Configuration
    private var bucket: TokenBucket
    private var nextByInterval = -Double.infinity
    /// No request goes out before; in the past where no pause holds.
    public private(set) var pausedUntil = -Double.infinity
    /// Refusals in a row.
    public private(set) var refusals = 0

    public init(_ configuration: Configuration = Configuration(), now: Double) {
        self.configuration = configuration
        bucket = TokenBucket(rate: configuration.rate, burst: configuration.burst, now: now)
    }

    /// Takes the permission for one request, if there is one.
    public mutating func take(now: Double) -> Bool {
        guard now >= pausedUntil, now >= nextByInterval, bucket.take(now: now) else { return false }
        nextByInterval = now + configuration.minimumInterval
        return true
    }

    /// When `take` is to be tried again; infinite where the rate is zero.
    public var nextAvailable: Double { max(bucket.nextAvailable, nextByInterval, pausedUntil) }

    /// What the server answered. 429, 503 and 418 (Binance's ban) pause everybody; anything else ends a series of refusals.
    /// - Parameter retryAfter: seconds that the server asked to wait.
    public mutating func answered(status: Int, retryAfter: Double?, now: Double) {
        guard status == 429 || status == 503 || status == 418 else {
            refusals = 0
            return
        }
        refusals += 1
        // An answer to an older request must not shorten the pause that a newer one asked for.
        pausedUntil = max(pausedUntil, now + max(0, retryAfter.map { min($0, configuration.longestWish) } ?? guess))
    }

    /// How long to wait where the server does not say.
    private var guess: Double {
        var pause = configuration.firstPause
        var doublings = refusals - 1
        while doublings > 0, pause < configuration.longestPause {
            pause *= 2
            doublings -= 1
        }
        return min(pause, configuration.longestPause)
    }
}
