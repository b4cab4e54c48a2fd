import MarketModel

/// One answer of a venue about its candles, and what it leaves open.
public struct HistoryPage: Sendable, Equatable {
    /// Finished candles, ascending, each once.
    public var candles: [HistoryCandle]
    /// Of what was requested, what is finished by the venue's clock as well as ours, and not older than the venue has.
    public var covered: Range<Double>
    /// The stretches of `covered` of which this answer says what happened: where no candle is, nothing was traded.
    /// Ascending, apart from each other. What lies between them is to be requested again.
    public var known: [Range<Double>]
    /// Starts of the buckets in `covered` of which the answer has only rows that make no sense (a high below the low, a time
    /// at which no candle begins). Ascending.
    public var malformed: [Double]
    /// Where to go on; `nil` at the end.
    public var next: Double?

    /// A page of nothing: all of it is still to come.
    init(nothingAt start: Double) {
        candles = []
        covered = start..<start
        known = []
        malformed = []
    }

    /// - Parameters:
    ///   - rows: in the venue's order; of two with one time the later one counts.
    ///   - omitsEmptyIntervals: whether a candle that is missing stands for nothing traded.
    init(
        _ rows: [HistoryCandle], _ timeframe: Timeframe, covered: Range<Double>, omitsEmptyIntervals: Bool,
        next: Double?
    ) {
        var byTime: [Double: HistoryCandle] = [:]
        var bad: Set<Double> = []
        for row in rows where !row.isRunning && covered.contains(row.candle.timestamp) {
            let start = timeframe.bucketStart(of: row.candle.timestamp)
            if start == row.candle.timestamp, row.candle.isWellFormed {
                byTime[start] = row
            } else {
                bad.insert(start)
            }
        }
        candles = byTime.values.sorted { $0.candle.timestamp < $1.candle.timestamp }
        malformed = bad.filter { byTime[$0] == nil }.sorted()
        self.covered = covered
        self.next = next
        known =
            omitsEmptyIntervals
            ? Self.without(malformed, covered, timeframe)
            : Self.buckets(of: candles, timeframe)
    }

    mutating func append(_ page: HistoryPage) {
        candles += page.candles
        malformed += page.malformed
        covered = covered.lowerBound..<max(covered.upperBound, page.covered.upperBound)
        if let last = known.last, let first = page.known.first, last.upperBound == first.lowerBound {
            known[known.count - 1] = last.lowerBound..<first.upperBound
            known += page.known.dropFirst()
        } else {
            known += page.known
        }
        next = page.next
    }

    private static func without(_ holes: [Double], _ whole: Range<Double>, _ timeframe: Timeframe) -> [Range<Double>] {
        var rest: [Range<Double>] = []
        var at = whole.lowerBound
        for hole in holes {
            if at < hole { rest.append(at..<hole) }
            at = timeframe.bucketEnd(ofBucketAt: hole)
        }
        if at < whole.upperBound { rest.append(at..<whole.upperBound) }
        return rest
    }

    private static func buckets(of candles: [HistoryCandle], _ timeframe: Timeframe) -> [Range<Double>] {
        var stretches: [Range<Double>] = []
        for candle in candles {
            let start = candle.candle.timestamp
            let end = timeframe.bucketEnd(ofBucketAt: start)
            if let last = stretches.last, last.upperBound == start {
                stretches[stretches.count - 1] = last.lowerBound..<end
            } else {
                stretches.append(start..<end)
            }
        }
        return stretches
    }
}
