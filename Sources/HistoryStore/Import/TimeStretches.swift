internal import MarketModel

/// Stretches of time, ascending and apart from one another. A value; times are seconds since 1970 UTC.
///
/// - Complexity: to look is O(log n), to change is O(n).
package struct TimeStretches: Sendable, Equatable {
    /// More are not kept: the oldest go.
    private let limit: Int

    package private(set) var ranges: [Range<Double>] = []

    package init(limit: Int = 500) { self.limit = limit }

    package mutating func add(_ new: Range<Double>) {
        guard !new.isEmpty else { return }
        let first = ranges.partitioningIndex { $0.upperBound >= new.lowerBound }
        let end = ranges.partitioningIndex { $0.lowerBound > new.upperBound }
        var merged = new
        if first < end {
            merged =
                min(ranges[first].lowerBound, new.lowerBound)..<max(ranges[end - 1].upperBound, new.upperBound)
        }
        ranges.replaceSubrange(first..<end, with: CollectionOfOne(merged))
        trim()
    }

    /// Adds all of `others`, in one go.
    package mutating func formUnion(_ others: TimeStretches) {
        guard let last = others.ranges.last else { return }
        // Nearly always there is one, or none.
        if others.ranges.count == 1 { return add(last) }
        var merged: [Range<Double>] = []
        merged.reserveCapacity(ranges.count + others.ranges.count)
        var (mine, other) = (ranges[...], others.ranges[...])
        while let next = (mine.first?.lowerBound ?? .infinity) <= (other.first?.lowerBound ?? .infinity)
            ? mine.popFirst() ?? other.popFirst() : other.popFirst()
        {
            if let before = merged.last, before.upperBound >= next.lowerBound {
                merged[merged.count - 1] = before.lowerBound..<max(before.upperBound, next.upperBound)
            } else {
                merged.append(next)
            }
        }
        ranges = merged
        trim()
    }

    package mutating func remove(_ gone: Range<Double>) {
        var left: [Range<Double>] = []
        for one in ranges {
            if one.lowerBound < gone.lowerBound {
                left.append(one.lowerBound..<min(one.upperBound, gone.lowerBound))
            }
            if one.upperBound > gone.upperBound {
                left.append(max(one.lowerBound, gone.upperBound)..<one.upperBound)
            }
        }
        ranges = left
    }

    package mutating func removeAll() { ranges = [] }

    /// Whether all of `stretch` lies in one of them.
    package func covers(_ stretch: Range<Double>) -> Bool {
        let first = ranges.partitioningIndex { $0.upperBound >= stretch.upperBound }
        return first < ranges.count && ranges[first].lowerBound <= stretch.lowerBound
    }

    /// Whether any of `stretch` lies in one of them.
    package func meets(_ stretch: Range<Double>) -> Bool {
        let first = ranges.partitioningIndex { $0.upperBound > stretch.lowerBound }
        return first < ranges.count && ranges[first].overlaps(stretch)
    }

    /// From where on everything up to `time` lies in them.
    package func start(upTo time: Double) -> Double? {
        let first = ranges.partitioningIndex { $0.upperBound >= time }
        return first < ranges.count && ranges[first].lowerBound < time ? ranges[first].lowerBound : nil
    }

    private mutating func trim() {
        if ranges.count > limit { ranges.removeFirst(ranges.count - limit) }
    }
}
