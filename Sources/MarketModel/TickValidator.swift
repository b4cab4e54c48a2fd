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
    public private(set) var accepted = 0

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
    public mutating func check(_ tick: Tick, now: Double) -> TickRejection? {
        let age = now - tick.timestamp
        // One comparison chain for the usual case; NaN fails every comparison and so falls through to the reasons.
        if tick.price > 0, tick.price <= Tick.largestNumber, tick.volume >= 0, tick.volume <= Tick.largestNumber,
            tick.timestamp > 0, age < maxAge, age >= -maxAhead
        {
            accepted &+= 1
            return nil
        }
        let reason = reason(against: tick, age: age)
        rejections[reason] += 1
        return reason
    }

    private func reason(against tick: Tick, age: Double) -> TickRejection {
        if let reason = tick.flaw { return reason }
        return age >= maxAge ? .tooOld : .tooFarAhead
    }
}

extension Tick {
    /// 1e11 seconds, in the year 5138: later times are milliseconds or worse.
    public static let latestTimestamp = 1e11

    /// Prices and quantities beyond this are no market's, and their sums must stay finite.
    static let largestNumber = 1e18

    /// What is wrong with the tick whatever the time is, if anything.
    var flaw: TickRejection? {
        guard timestamp.isFinite, price.isFinite, volume.isFinite else { return .notFinite }
        if price <= 0 || price > Tick.largestNumber { return .price }
        if volume < 0 || volume > Tick.largestNumber { return .volume }
        if timestamp <= 0 || timestamp > Tick.latestTimestamp { return .timestamp }
        return nil
    }
}
