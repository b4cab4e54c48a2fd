/// Stretches of time of which it is known what happened, to be asked many times.
struct KnownStretches: Sendable {
    /// Ascending, apart from each other.
    private let stretches: [Range<Double>]

    /// - Parameter stretches: in any order; those that touch become one.
    init(_ stretches: [Range<Double>]) {
        var joined: [Range<Double>] = []
        for stretch in stretches.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, stretch.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, stretch.upperBound)
            } else {
                joined.append(stretch)
            }
        }
        self.stretches = joined
    }

    /// Whether all of it is known.
    /// - Complexity: O(log n)
    func cover(_ stretch: Range<Double>) -> Bool {
        var (low, high) = (0, stretches.count)
        while low < high {
            let middle = (low + high) / 2
            if stretches[middle].upperBound < stretch.upperBound { low = middle + 1 } else { high = middle }
        }
        return low < stretches.count && stretches[low].lowerBound <= stretch.lowerBound
    }
}
