/// An average that weighs each new value with `weight` and all before it with the rest, seeded with the plain mean of
/// the first n values.
struct ExponentialAverage: Sendable {
    private let length: Int
    private let weight: Double
    private var count = 0
    private var average = 0.0

    /// The weight of Wilder's smoothing: 1/n.
    static func wilder(_ length: Int) -> ExponentialAverage {
        ExponentialAverage(length, weight: 1 / Double(max(1, length)))
    }

    /// The usual weight: 2/(n+1).
    init(_ length: Int) { self.init(length, weight: 2 / Double(max(1, length) + 1)) }

    private init(_ length: Int, weight: Double) {
        self.length = max(1, length)
        self.weight = weight
    }

    /// The average with `value`; NaN before n values. A NaN, "no value yet", is left out.
    @inline(__always) mutating func step(_ value: Double) -> Double {
        guard value.isFinite else { return .nan }
        if count < length {
            count += 1
            // A mean by its distances cannot overflow where a sum could.
            average += (value - average) / Double(count)
            return count == length ? average : .nan
        }
        average += (value - average) * weight
        return average
    }
}
