/// A decimal number with up to 16 decimals, between -10^22 and 10^22: prices, quantities, amounts of money.
///
/// Addition and subtraction are exact; products and quotients are rounded once, by a rule that the caller names. What
/// leaves the range throws ``DecimalError/outOfRange``; nothing traps and nothing becomes a binary fraction on the way.
///
/// ```swift
/// let price = ExactDecimal("67234.50")!
/// let entry = ExactDecimal("65000")!
/// let profit = try (price - entry).multiplied(by: ExactDecimal("0.05")!)   // 111.725
/// ```
public struct ExactDecimal: Hashable, Sendable {
    // In two words: one `Int128` would align everything that has a decimal to 16 bytes, and memory for that is slow to get.
    private let low: UInt64
    private let high: Int64

    /// Most decimals a value has.
    public static let decimals = 16
    /// Units in one: 10^16.
    static let one: Int128 = 10_000_000_000_000_000
    /// 10^38 units are 10^22.
    static let limit: Int128 = 100_000_000_000_000_000_000_000_000_000_000_000_000

    public static let zero = ExactDecimal(trusted: 0)
    /// The largest value, 10^22. The smallest is its negative.
    public static let greatest = ExactDecimal(trusted: limit)

    /// The number in units of 10^-16, within ±`limit`.
    var units: Int128 { Int128(high) << 64 | Int128(low) }

    /// - Parameter trusted: units known to be in range.
    init(trusted units: Int128) {
        low = UInt64(truncatingIfNeeded: units)
        high = Int64(truncatingIfNeeded: units >> 64)
    }

    init(units: Int128) throws(DecimalError) {
        guard units <= Self.limit, units >= -Self.limit else { throw .outOfRange }
        self.init(trusted: units)
    }

    /// A whole number; every `Int` is in range.
    public init(_ value: Int) { self.init(trusted: Int128(value) * Self.one) }

    public var isZero: Bool { low | UInt64(bitPattern: high) == 0 }
    public var isNegative: Bool { high < 0 }
    public var isPositive: Bool { units > 0 }
    public var magnitude: ExactDecimal { ExactDecimal(trusted: units < 0 ? -units : units) }
}

extension ExactDecimal: Comparable {
    public static func < (left: ExactDecimal, right: ExactDecimal) -> Bool { left.units < right.units }
}

extension ExactDecimal: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(value) }
}
