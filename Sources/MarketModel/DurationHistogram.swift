/// How often something took how long, in classes with fixed bounds. A value: to count takes no lock and no memory.
package struct DurationHistogram: Sendable, Equatable {
    /// The upper bounds in seconds, ascending.
    package let bounds: [Double]
    /// How many there are up to each bound and over the one before; the last: over all bounds.
    package private(set) var counts: [Int]
    /// Of all, in seconds.
    package private(set) var sum = 0.0

    package init(_ bounds: [Double]) {
        self.bounds = bounds
        counts = [Int](repeating: 0, count: bounds.count + 1)
    }

    package var total: Int { counts.reduce(0, &+) }

    /// - Parameter seconds: what is below zero, as of clocks that differ, counts as zero.
    package mutating func add(_ seconds: Double) {
        let seconds = seconds > 0 ? seconds : 0
        var index = 0
        while index < bounds.count, seconds > bounds[index] { index += 1 }
        counts[index] &+= 1
        sum += seconds
    }

    /// - Parameter other: with the same bounds.
    package mutating func add(_ other: DurationHistogram) {
        precondition(bounds == other.bounds)
        for index in counts.indices { counts[index] &+= other.counts[index] }
        sum += other.sum
    }

    /// From 50 microseconds to a second: what happens inside of the process.
    package static let internalBounds = [
        0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1,
    ]
    /// From half a millisecond to ten seconds: requests, disks, pictures.
    package static let requestBounds = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
    /// From a twentieth of a second to two minutes: answers of models.
    package static let answerBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
}
