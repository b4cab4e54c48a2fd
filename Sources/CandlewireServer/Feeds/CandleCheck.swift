import MarketFeeds
import MarketModel

/// A venue's closed candles that wait to be held against ours of the same time, and what came of those that were. A value
/// without a clock; times are seconds since 1970 UTC.
struct CandleCheck {
    struct Waiting {
        var market: Int
        var timeframe: Timeframe
        var candle: Candle
    }

    /// Candles that were compared.
    private(set) var compared = 0
    /// Those from which ours differs.
    private(set) var differing = 0
    private var waiting: [Waiting] = []
    private struct Series: Hashable {
        var market: Int
        var timeframe: Timeframe
    }
    /// The start of the newest candle that was added.
    private var newest: [Series: Double] = [:]

    /// Seconds that trades may come later than the candle that has them in it: the streams of a venue do not wait for one
    /// another.
    static let timeout = 12.0
    /// More do not wait.
    private static let limit = 10_000

    /// Each bucket once: a snapshot repeats the past after each outage.
    mutating func add(_ candle: Candle, _ timeframe: Timeframe, market: Int) {
        let series = Series(market: market, timeframe: timeframe)
        guard candle.timestamp > newest[series] ?? -.infinity, waiting.count < Self.limit else { return }
        newest[series] = candle.timestamp
        waiting.append(Waiting(market: market, timeframe: timeframe, candle: candle))
    }

    /// Those whose last trades must be here by now; they wait no more.
    mutating func due(now: Double) -> [Waiting] {
        func isDue(_ one: Waiting) -> Bool {
            one.timeframe.bucketEnd(ofBucketAt: one.candle.timestamp) + Self.timeout <= now
        }
        // Nearly always there is none.
        guard waiting.contains(where: isDue) else { return [] }
        let due = waiting.filter(isDue)
        waiting.removeAll(where: isDue)
        return due
    }

    /// - Parameter ours: `nil` where nothing traded.
    mutating func compare(_ theirs: Candle, with ours: Candle?) {
        compared += 1
        if !Self.isSame(theirs, ours) { differing += 1 }
    }

    private static func isSame(_ theirs: Candle, _ ours: Candle?) -> Bool {
        guard let ours else { return theirs.volume == 0 }
        let tolerance = CandleComparison.tolerance * max(ours.volume.magnitude, theirs.volume.magnitude)
        return ours.open == theirs.open && ours.high == theirs.high && ours.low == theirs.low
            && ours.close == theirs.close && (ours.volume - theirs.volume).magnitude <= tolerance
    }
}
