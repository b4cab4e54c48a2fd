import HistoryStore
import MarketModel

/// Which candles of a market and timeframe are to be fetched from its venue, and when: those before it was followed, those
/// in which it could not be, and those in which trades are known to be missing.
///
/// A value without a clock; times are seconds since 1970 UTC. A candle is requested when it is over and the venue has had
/// the time to finish it: until then it is kept in mind.
struct HistoryPlan: Sendable {
    /// Seconds after a candle's end until it is requested: late trades change ours until then.
    static let finishing = 12.0
    /// Seconds until a request that failed is made again, at first and at most.
    static let firstRetry = 5.0
    static let lastRetry = 300.0
    /// The same where the venue itself refused: a market that it will list, a key that is being made.
    static let refusalRetry = 3600.0
    /// Candles requested at once: as many as memory has room for, so that coarser ones can be made of them.
    static let longest = 1440.0
    /// Trades may be lost this many seconds before their loss is noticed: a silent connection ends half a minute later
    /// at most.
    static let unnoticed = 60.0

    let timeframe: Timeframe
    /// Whole candles, ascending, apart from one another.
    var stretches: [Range<Double>] { wanted.ranges }
    private var wanted = TimeStretches()
    private var notBefore = -Double.infinity
    private var failures = 0
    private var downSince: Double?

    init(_ timeframe: Timeframe = .m1) { self.timeframe = timeframe }

    /// Everything from `start` to the candle of `now`, and that one too: the first trades of it were not seen.
    mutating func begin(from start: Double, now: Double) { add(start, now) }

    mutating func wentDown(now: Double) { if downSince == nil { downSince = now } }

    mutating func cameUp(now: Double) {
        guard let since = downSince else { return }
        downSince = nil
        add(since - Self.unnoticed, now)
    }

    /// Trades are missing that should have come after the one of `since`.
    mutating func missed(since: Double, now: Double) { add(min(since, now - 10), now) }

    /// A finer timeframe has no candles of this stretch any more.
    mutating func add(_ stretch: Range<Double>) {
        // The end itself is not part of it.
        if !stretch.isEmpty { add(stretch.lowerBound, stretch.upperBound.nextDown) }
    }

    /// What can be requested now.
    func due(now: Double) -> Range<Double>? {
        guard now >= notBefore, let first = stretches.first else { return nil }
        let end = min(
            first.upperBound, timeframe.bucketStart(of: now - Self.finishing),
            timeframe.bucketStart(of: first.lowerBound + Self.longest * timeframe.seconds))
        return first.lowerBound < end ? first.lowerBound..<end : nil
    }

    /// The venue answered.
    /// - Parameters:
    ///   - stretch: what was requested.
    ///   - covered: the part of it that the venue sent. What is before it, it does not have any more; what is behind it, it
    ///     has not finished.
    /// - Returns: what cannot be had.
    mutating func fetched(_ stretch: Range<Double>, covered: Range<Double>, now: Double) -> Range<Double>? {
        let lost = stretch.lowerBound..<max(stretch.lowerBound, min(covered.lowerBound, stretch.upperBound))
        let end = min(stretch.upperBound, max(covered.upperBound, lost.upperBound))
        if end > stretch.lowerBound {
            failures = 0
            notBefore = -.infinity
            wanted.remove(stretch.lowerBound..<end)
        }
        if end < stretch.upperBound { failed(now: now) }
        return lost.isEmpty ? nil : lost
    }

    /// It could not be fetched.
    /// - Parameter isRefusal: the venue itself refuses it.
    mutating func failed(isRefusal: Bool = false, now: Double) {
        if isRefusal { return notBefore = now + Self.refusalRetry }
        notBefore = now + min(Self.firstRetry * Double(1 << min(failures, 10)), Self.lastRetry)
        failures += 1
    }

    private mutating func add(_ start: Double, _ to: Double) {
        // A clock that was set back in between must not make a stretch that ends before it begins.
        let from = min(start, to)
        wanted.add(timeframe.bucketStart(of: from)..<timeframe.bucketEnd(ofBucketAt: timeframe.bucketStart(of: to)))
    }
}
