/// Decides whether a tick may enter: finite numbers, a price above zero, a volume of at least zero, and a timestamp
/// near the clock.
///
/// The clock is an argument, so that a replay is judged by the time it was recorded at.
public struct TickValidator: Sendable {
    /// A tick this many seconds old, or older, is rejected.
    public var maxAge: Double
    /// A tick more than this many seconds ahead of the clock is rejected: venues' clocks differ from ours by a little.
    public var maxAhead: Double
    /// Rejections so far.
    public private(set) var rejections = RejectionCounts()
    /// Ticks that passed so far.
    public var accepted: Int { passed }
    @usableFromInline var passed = 0

    /// - Parameters:
    ///   - maxAge: seconds, default 300.
    ///   - maxAhead: seconds, default 5.
    public init(maxAge: Double = 300, maxAhead: Double = 5) {
        self.maxAge = maxAge
        self.maxAhead = maxAhead
    }

    /// Checks one tick and counts the outcome.
    /// - Parameter now: seconds since 1970 UTC, by the clock that governs the feed.
    /// - Returns: the first reason against the tick, `nil` when it is good.
    @inlinable public mutating func check(_ tick: Tick, now: Double) -> TickRejection? {
        let age = now - tick.timestamp
        // One comparison chain for the usual case; NaN fails every comparison and so falls through to the reasons.
        if tick.price > 0, tick.price <= Tick.largestNumber, tick.volume >= 0, tick.volume <= Tick.largestNumber,
            tick.timestamp > 0, age < maxAge, age >= -maxAhead
        {
            passed &+= 1
            return nil
        }
        return reject(tick, age: age)
    }

    @usableFromInline mutating func reject(_ tick: Tick, age: Double) -> TickRejection {
        let reason = tick.flaw ?? (age >= maxAge ? .tooOld : .tooFarAhead)
        rejections[reason] += 1
        return reason
    }
}
