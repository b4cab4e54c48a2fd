import MarketModel

/// Of which time a market's minutes, hours and days are known to be all there are: it was followed, or they came from its
/// venue. Coarser candles are made anew of such time only: a stored past may have holes that nobody sees.
///
/// A value; times are seconds since 1970 UTC.
struct KnownPast: Sendable {
    /// What coarser timeframes are made of when a venue's candles come: a month is made of days, not of minutes, of which
    /// it has more than are kept.
    static let sources: [Timeframe] = [.m1, .h1, .d1]

    private var fetched = Timeframe.allCases.map { _ in TimeStretches() }
    /// Minutes that were seen as a whole, until the feed was lost.
    private var followed = TimeStretches()
    private var followedSince: Double?

    /// The market's trades come from now on.
    mutating func cameUp(at time: Double) { if followedSince == nil { followedSince = time } }

    /// They come no more; some may have been lost from `time` on.
    mutating func wentDown(at time: Double) {
        guard let since = followedSince else { return }
        followedSince = nil
        let whole = Self.next(.m1, since)
        let end = Timeframe.m1.bucketStart(of: time)
        if whole < end { followed.add(whole..<end) }
    }

    /// The venue's candles of this stretch are in place.
    mutating func add(_ stretch: Range<Double>, of timeframe: Timeframe) {
        fetched[timeframe.index].add(stretch)
    }

    /// What is known in candles of a timeframe, those made of finer ones included.
    func stretches(of timeframe: Timeframe) -> TimeStretches {
        var known = TimeStretches()
        for source in Timeframe.allCases
        where source == timeframe || source.index < timeframe.index && timeframe.isMadeOf(source) {
            var whole = fetched[source.index]
            for range in known.ranges {
                let start = Self.next(source, range.lowerBound)
                let end = range.upperBound == .infinity ? .infinity : source.bucketStart(of: range.upperBound)
                if start < end { whole.add(start..<end) }
            }
            if source == .m1 {
                for range in followed.ranges { whole.add(range) }
                if let followedSince { whole.add(Self.next(.m1, followedSince)..<Double.infinity) }
            }
            known = whole
        }
        return known
    }

    /// Whether a bucket was followed from its beginning to its end, and the venue's candles have no part in it.
    func isOwn(_ timeframe: Timeframe, _ bucket: Range<Double>) -> Bool {
        stretches(of: timeframe).covers(bucket)
            && !Timeframe.allCases.contains { $0.index <= timeframe.index && fetched[$0.index].meets(bucket) }
    }

    /// The first bucket that does not begin before `time`.
    private static func next(_ timeframe: Timeframe, _ time: Double) -> Double {
        let start = timeframe.bucketStart(of: time)
        return start < time ? timeframe.bucketEnd(ofBucketAt: start) : start
    }
}
