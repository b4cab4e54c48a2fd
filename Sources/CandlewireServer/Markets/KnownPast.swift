import HistoryStore
import MarketModel

/// Of which time a market's minutes, hours and days are known to be all there are: it was live, or they came from its
/// venue. Coarser candles are rebuilt for such time only: a stored past may have holes that are not recorded.
///
/// A value; times are seconds since 1970 UTC.
struct KnownPast: Sendable {
    /// What coarser timeframes are made of when a venue's candles come: a month is made of days, not of minutes, of which
    /// it has more than are kept.
    static let sources: [Timeframe] = [.m1, .h1, .d1]

    private var fetched = Timeframe.allCases.map { _ in TimeStretches() }
    /// Minutes that were seen as a whole; while the feed is up, without an end.
    private var live = TimeStretches()
    private var followedSince: Double?
    /// Minutes that are fetched, or were live until the feed was lost: what a venue sends of an outage closes the gap
    /// between those before and behind it, so that many outages leave few stretches.
    private var minutes = TimeStretches()

    /// The market's trades come from now on.
    mutating func cameUp(at time: Double) {
        guard followedSince == nil else { return }
        followedSince = time
        live.add(Self.next(.m1, time)..<Double.infinity)
    }

    /// They come no more; some may have been lost from `time` on.
    mutating func wentDown(at time: Double) {
        guard let since = followedSince else { return }
        followedSince = nil
        let whole = Self.next(.m1, since)
        let end = max(whole, Timeframe.m1.bucketStart(of: time))
        live.remove(end..<Double.infinity)
        minutes.add(whole..<end)
    }

    /// The venue's candles of this stretch are in place.
    mutating func add(_ stretch: Range<Double>, of timeframe: Timeframe) {
        fetched[timeframe.index].add(stretch)
        if timeframe == .m1 { minutes.add(stretch) }
    }

    /// What is known in candles of a timeframe, those made of finer ones included.
    /// - Complexity: O(stretches); for many look-ups get the stretches once.
    func stretches(of timeframe: Timeframe) -> TimeStretches {
        var known = TimeStretches()
        for source in Timeframe.allCases
        where source == timeframe || source.index < timeframe.index && timeframe.isMadeOf(source) {
            var whole = source == .m1 ? minutes : fetched[source.index]
            whole.formUnion(known.whole(source))
            if source == .m1, let followedSince { whole.add(Self.next(.m1, followedSince)..<Double.infinity) }
            known = whole
        }
        return known
    }

    /// Whether a bucket was live from its beginning to its end, and the venue's candles have no part in it.
    func isOwn(_ timeframe: Timeframe, _ bucket: Range<Double>) -> Bool {
        (timeframe == .m1 || timeframe.index > Timeframe.m1.index && timeframe.isMadeOf(.m1))
            && live.covers(bucket)
            && !Timeframe.allCases.contains { $0.index <= timeframe.index && fetched[$0.index].meets(bucket) }
    }

    /// The first bucket that does not begin before `time`.
    fileprivate static func next(_ timeframe: Timeframe, _ time: Double) -> Double {
        let start = timeframe.bucketStart(of: time)
        return start < time ? timeframe.bucketEnd(ofBucketAt: start) : start
    }
}

extension TimeStretches {
    /// The whole buckets in them.
    fileprivate func whole(_ timeframe: Timeframe) -> TimeStretches {
        var whole = TimeStretches()
        for range in ranges {
            let start = KnownPast.next(timeframe, range.lowerBound)
            let end = range.upperBound == .infinity ? .infinity : timeframe.bucketStart(of: range.upperBound)
            if start < end { whole.add(start..<end) }
        }
        return whole
    }
}
