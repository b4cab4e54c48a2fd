/// What a simulated market draws.
extension SeededGenerator {
    /// Uniform in -1..<1.
    public mutating func signedUnit() -> Double {
        unit() * 2 - 1
    }

    /// Exponentially distributed with mean 1.
    ///
    /// -ln(u) by a series of our own: the C library's logarithm differs in the last bit between platforms.
    public mutating func exponential() -> Double {
        -Self.naturalLogarithm(1 - unit())
    }

    /// ln(x) for x in 0...1, x > 0: ln 2 per binary exponent, and 2 artanh((m-1)/(m+1)) for the mantissa.
    static func naturalLogarithm(_ value: Double) -> Double {
        let mantissa = value.significand
        let ratio = (mantissa - 1) / (mantissa + 1)
        let square = ratio * ratio
        var power = ratio
        var sum = 0.0
        var odd = 1.0
        // The ratio is at most 1/3: 17 terms leave less than 1e-17.
        for _ in 0..<17 {
            sum += power / odd
            power *= square
            odd += 2
        }
        return 2 * sum + Double(value.exponent) * 0.693_147_180_559_945_3
    }
}
