/// Stretches of time, ascending and apart from one another. A value; times are seconds since 1970 UTC.
struct TimeStretches: Sendable, Equatable {
    /// More are not kept: the oldest go.
    private static let limit = 500

    private(set) var ranges: [Range<Double>] = []

    mutating func add(_ new: Range<Double>) {
        guard !new.isEmpty else { return }
        var merged = new
        var others: [Range<Double>] = []
        for one in ranges {
            if one.lowerBound <= merged.upperBound, merged.lowerBound <= one.upperBound {
                merged = min(one.lowerBound, merged.lowerBound)..<max(one.upperBound, merged.upperBound)
            } else {
                others.append(one)
            }
        }
        others.append(merged)
        ranges = others.sorted { $0.lowerBound < $1.lowerBound }
        if ranges.count > Self.limit { ranges.removeFirst(ranges.count - Self.limit) }
    }

    mutating func remove(_ gone: Range<Double>) {
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

    mutating func removeAll() { ranges = [] }

    /// Whether all of `stretch` lies in one of them.
    func covers(_ stretch: Range<Double>) -> Bool {
        ranges.contains { $0.lowerBound <= stretch.lowerBound && stretch.upperBound <= $0.upperBound }
    }

    /// Whether any of `stretch` lies in one of them.
    func meets(_ stretch: Range<Double>) -> Bool { ranges.contains { $0.overlaps(stretch) } }

    /// From where on everything up to `time` lies in them.
    func start(upTo time: Double) -> Double? {
        ranges.first { $0.lowerBound < time && time <= $0.upperBound }?.lowerBound
    }
}
