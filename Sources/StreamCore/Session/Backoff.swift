/// How long to wait before the next attempt to connect.
///
/// Exponential with full jitter: a uniform draw from zero to `min(base * 2^n, cap)`, so that clients that lost the same
/// server do not come back in the same instant (AWS Architecture Blog, "Exponential Backoff And Jitter", 2015).
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
        /// A smaller cap for the first attempts, while somebody looks; `nil`: the same as otherwise.
        public var patience: Patience?

        public init(
            base: Double = 1, cap: Double = 30, attempts: Int = 10, slowRetry: Double? = 60, patience: Patience? = nil
        ) {
            self.base = base
            self.cap = cap
            self.attempts = attempts
            self.slowRetry = slowRetry
            self.patience = patience
        }
    }

    /// How long somebody who looks is made to wait: for so many attempts, at most so many seconds each.
    public struct Patience: Sendable, Equatable {
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

    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Whether the quick attempts are used up and the slow retry has begun.
    public var isSlow: Bool { attempts > configuration.attempts }

    /// Counts an attempt.
    /// - Parameters:
    ///   - jitter: uniform in [0, 1).
    ///   - isWatched: whether somebody looks, whose `patience` is shorter.
    /// - Returns: seconds to wait before it; `nil` where there is none left.
    public mutating func next(jitter: Double, isWatched: Bool = false) -> Double? {
        if attempts <= configuration.attempts { attempts += 1 }
        if isSlow { return configuration.slowRetry }
        var cap = configuration.cap
        if isWatched, let patience = configuration.patience, attempts <= patience.attempts {
            cap = min(cap, patience.cap)
        }
        var ceiling = configuration.base
        var doublings = attempts
        while doublings > 0, ceiling < cap {
            ceiling *= 2
            doublings -= 1
        }
        return min(ceiling, cap) * jitter
    }

    /// The connection has been stable, or the application starts anew.
    public mutating func reset() {
        attempts = 0
    }
}
