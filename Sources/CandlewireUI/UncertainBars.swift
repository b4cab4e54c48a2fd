internal import MarketModel

/// The time whose bars have to be requested from the source, because trades may be missing in what its stream brought.
///
/// A bar is requested once its bucket has ended: only then is the source's own bar complete.
struct UncertainBars: Sendable, Equatable {
    let timeframe: Timeframe
    /// From the start of the earliest such bar to the end of the latest.
    private(set) var range: Range<Double>?

    init(timeframe: Timeframe) { self.timeframe = timeframe }

    /// Adds all bars from the one at `from` to the one at `to`.
    mutating func add(from: Double, to: Double) {
        let start = timeframe.bucketStart(of: min(from, to))
        let end = timeframe.bucketEnd(ofBucketAt: timeframe.bucketStart(of: max(from, to)))
        range = min(start, range?.lowerBound ?? start)..<max(end, range?.upperBound ?? end)
    }

    /// The bars that are complete at `now`, to be requested; `nil` where there are none.
    func due(now: Double) -> Range<Double>? {
        guard let range else { return nil }
        let end = min(range.upperBound, timeframe.bucketStart(of: now))
        return end > range.lowerBound ? range.lowerBound..<end : nil
    }

    /// When more will be complete; `nil` where nothing is uncertain.
    func nextDue(now: Double) -> Double? {
        guard let range else { return nil }
        return due(now: now) != nil
            ? now : timeframe.bucketEnd(ofBucketAt: timeframe.bucketStart(of: max(now, range.lowerBound)))
    }

    /// The bars of `loaded` are what the source has.
    mutating func remove(_ loaded: Range<Double>) {
        guard let range, loaded.lowerBound <= range.lowerBound else { return }
        self.range =
            loaded.upperBound < range.upperBound ? max(range.lowerBound, loaded.upperBound)..<range.upperBound : nil
    }
}
