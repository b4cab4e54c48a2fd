/// A sum of doubles that does not depend on their order.
///
/// The rounding error of every addition is kept beside the sum (Knuth's TwoSum; Ogita, Rump and Oishi 2005, "Accurate
/// sum and dot product"). Within 106 bits between the largest sum and the smallest addend's last bit, which market
/// volumes never leave, `value` is the exact sum rounded once: any permutation and any grouping gives the same bits.
@usableFromInline package struct ExactSum: Sendable, Equatable {
    @usableFromInline var high: Double
    @usableFromInline var low: Double

    package init(_ value: Double = 0) {
        high = value
        low = 0
    }

    @inlinable package mutating func add(_ value: Double) {
        let sum = high + value
        let part = sum - high
        low += (high - (sum - part)) + (value - part)
        high = sum
    }

    mutating func add(_ other: ExactSum) {
        add(other.high)
        low += other.low
    }

    /// The sum, rounded once.
    ///
    /// Quantities are decimals, and few doubles are: adding 0.1 and 0.2 exactly gives a little more than 0.3. All such
    /// errors together are at most one unit in the last place of the sum. Where a decimal of eight places, the most
    /// that venues use, lies that near, it is the true sum.
    package var value: Double {
        let sum = high + low
        guard sum.magnitude < 90_000_000 else { return sum }
        let decimal = (sum * 1e8).rounded() / 1e8
        return (decimal - sum).magnitude <= sum.ulp ? decimal : sum
    }

    /// Sums that were reached in different ways are equal where their values are.
    @usableFromInline package static func == (one: ExactSum, other: ExactSum) -> Bool { one.value == other.value }
}
