/// What happens to the part of a result that does not fit into its decimals.
public enum DecimalRounding: Sendable, Hashable {
    /// To the nearest, ties to the even digit: sums of many results do not drift.
    case halfEven
    /// To the nearest, ties away from zero: 111.725 is 111.73. What people expect of shown amounts.
    case halfUp
    /// Towards zero.
    case down
    /// Away from zero.
    case up
    /// Towards minus infinity.
    case floor
    /// Towards plus infinity: what is owed is never rounded in the debtor's favour.
    case ceiling

    /// Whether the magnitude grows by one unit.
    /// - Parameters:
    ///   - remainder: what is left over, below `divisor`.
    ///   - isOdd: whether the truncated quotient is odd.
    ///   - isNegative: the sign of the whole result.
    func increases(remainder: UInt128, divisor: UInt128, isOdd: Bool, isNegative: Bool) -> Bool {
        if remainder == 0 { return false }
        let rest = divisor - remainder
        switch self {
        case .down: return false
        case .up: return true
        case .floor: return isNegative
        case .ceiling: return !isNegative
        case .halfUp: return remainder >= rest
        case .halfEven: return remainder > rest || (remainder == rest && isOdd)
        }
    }
}

/// Why an operation on exact decimals has no result. Nothing traps: amounts come from outside.
public enum DecimalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The result is beyond ±10^22.
    case outOfRange
    /// A division by zero.
    case divisionByZero

    public var description: String {
        switch self {
        case .outOfRange: "the number is out of range"
        case .divisionByZero: "division by zero"
        }
    }
}
