internal import MarketModel

/// Times of the places before the oldest bar and after the newest one, as if bars went on there, one a bucket. Bar
/// indices go on too: below 0 and from `count` on.
extension CandleSeries {
    /// The indices that have a time: all bars, and beyond them what lies in the years 1970 to 9999.
    func datedIndices(_ timeframe: Timeframe) -> Range<Int> {
        guard let first, let last else { return 0..<0 }
        let lower = first.timestamp == Calendar.time(first.timestamp) ? index(notBefore: 0, timeframe) : 0
        var upper = count
        if last.timestamp == Calendar.time(last.timestamp) {
            upper = max(count, index(notBefore: Calendar.latest + 1, timeframe))
        }
        return min(lower, 0)..<upper
    }

    /// The time of a bar or of a place beyond the bars. In months every place is a first of month, otherwise the
    /// distance is the bucket's length, from the bar at the end.
    /// - Parameter index: one of `datedIndices`.
    /// - Complexity: O(1)
    func time(at index: Int, _ timeframe: Timeframe) -> Double {
        let end = index < 0 ? 0 : min(index, count - 1)
        let bar = timestamp(at: end)
        return index == end ? bar : timeframe.bucket(index - end, from: bar)
    }

    /// The first index, beyond the bars too, with a time not before `time`.
    /// - Complexity: O(log bars)
    func index(notBefore time: Double, _ timeframe: Timeframe) -> Int {
        guard let first, let last else { return 0 }
        if time > first.timestamp && time <= last.timestamp { return firstIndex(notBefore: time) }
        let end = time > last.timestamp ? count - 1 : 0
        let steps = timeframe.buckets(from: timestamp(at: end), to: time)
        return integer(Double(end) + steps, in: -1_000_000_000...1_000_000_000)
    }
}

extension Timeframe {
    /// The start of the bucket `steps` after the one at `start`: `bucketEnd(ofBucketAt:)` that many times.
    fileprivate func bucket(_ steps: Int, from start: Double) -> Double {
        guard self == .mo1 else { return start + Double(steps) * seconds }
        // Ten thousand years are further than any chart.
        let month = max(0, Calendar.month(start) + min(max(steps, -120_000), 120_000))
        return Double(CivilDate(year: month / 12, month: month % 12 + 1, day: 1).daysSince1970) * 86_400
    }

    /// How many buckets from `start` on the first one not before `time` is; negative where it lies before.
    fileprivate func buckets(from start: Double, to time: Double) -> Double {
        guard self == .mo1 else { return ((time - start) / seconds).rounded(.up) }
        let steps = Calendar.month(time) - Calendar.month(start)
        return Double(bucket(steps, from: start) < time ? steps + 1 : steps)
    }
}
