/// How long to wait before the next attempt: `min(base * 2^n, cap)` seconds, a part of it left to chance.
///
/// Connections have full jitter, a uniform draw from zero to that, so that clients that lost the same server do not
/// come back in the same instant (AWS Architecture Blog, "Exponential Backoff And Jitter", 2015).
public struct Backoff: Sendable, Equatable {
    public struct Configuration: Sendable, Equatable {
        /// Seconds; the first wait is at most twice this.
        public var base = 1.0
        /// Seconds: no wait is longer, except the slow retry.
        public var cap = 30.0
        /// Attempts before the slow retry begins.
        public var attempts = 10
        /// Seconds between attempts after that; `nil`: give up.
        public var slowRetry: Double? = 60
        /// A smaller cap for the first attempts, while the user is watching; `nil`: the same as otherwise.
        public var watched: WatchedLimits?
        /// The part of each wait that is left to chance: 1 is a draw from zero to the whole wait, 0 always the whole.
        public var jitter = 1.0

        public init(
            base: Double = 1, cap: Double = 30, attempts: Int = 10, slowRetry: Double? = 60,
            watched: WatchedLimits? = nil
        ) {
            self.base = base
            self.cap = cap
            self.attempts = attempts
            self.slowRetry = slowRetry
            self.watched = watched
        }

        /// Waits that begin with `first` seconds and double up to `cap`, as often as they are needed.
        package init(first: Double, cap: Double, jitter: Double = 0) {
            self.init(base: first / 2, cap: cap, attempts: .max, slowRetry: nil)
            self.jitter = jitter
        }

        /// Seconds to wait before an attempt, the slow retry apart.
        /// - Parameters:
        ///   - attempt: 1 for the first.
        ///   - random: uniform in [0, 1).
        ///   - limit: a smaller cap for this attempt.
        package func wait(before attempt: Int, random: Double = 0, limit: Double = .infinity) -> Double {
            let cap = min(cap, limit)
            var wait = base
            var doublings = attempt
            while doublings > 0, wait < cap, wait > 0 {
                wait *= 2
                doublings -= 1
            }
            return min(wait, cap) * (1 - min(1, max(0, jitter)) * (1 - random))
        }

        /// Seconds before a refused request is repeated.
        /// - Parameter requested: by the server; the cap at most.
        package func wait(before attempt: Int, requested: Double?) -> Double {
            min(max(requested ?? 0, wait(before: attempt)), cap)
        }
    }

    /// How long a watching user has to wait: for this many attempts, at most this many seconds each.
    public struct WatchedLimits: Sendable, Equatable {
        public var attempts: Int
        public var cap: Double

        public init(attempts: Int, cap: Double) {
            self.attempts = attempts
            self.cap = cap
        }
    }

    public let configuration: Configuration
    /// Attempts since the last stable connection.
    public private(set) var attempts = 0

    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// Whether the quick attempts are used up and the slow retry has begun.
    public var isSlow: Bool { attempts > configuration.attempts }

    /// Counts an attempt.
    /// - Parameters:
    ///   - random: uniform in [0, 1).
    ///   - isWatched: whether the user is watching, whose limits are `watched`.
    /// - Returns: seconds to wait before it; `nil` where there is none left.
    public mutating func next(random: Double, isWatched: Bool = false) -> Double? {
        if attempts <= configuration.attempts { attempts += 1 }
        if isSlow { return configuration.slowRetry }
        var limit = Double.infinity
        if isWatched, let watched = configuration.watched, attempts <= watched.attempts { limit = watched.cap }
        return configuration.wait(before: attempts, random: random, limit: limit)
    }

    /// The connection has been stable, or the application starts again.
    public mutating func reset() { attempts = 0 }
}
