/// Why an operation on exact decimals has no result. Nothing traps: amounts come from outside.
public enum DecimalError: Error, Sendable, Hashable {
    /// The result is beyond ±10^22.
    case outOfRange
    /// A division by zero.
    case divisionByZero
}
