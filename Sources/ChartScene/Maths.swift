/// Logarithm and exponential of our own: Embedded Swift has none, and every platform's C library rounds its last bit
/// differently, which would be another picture.
enum Maths {
    /// What `log` answers for a number that has no logarithm: further down than any price.
    static let logOfNothing = -10_000.0

    private static let ln2High = 0.693147180369123816490
    private static let ln2Low = 1.90821492927058770002e-10

    /// The natural logarithm, to about one unit in the last place; `logOfNothing` for what is not above zero.
    ///
    /// `x = 2^e * m` with m around 1, and `log m = 2 artanh s` for `s = (m - 1) / (m + 1)` by its power series.
    static func log(_ x: Double) -> Double {
        guard x > 0 else { return logOfNothing }
        guard x.isFinite else { return 709.8 }
        // A subnormal number is brought up first.
        var shift = 0.0
        var bits = x.bitPattern
        if bits >> 52 == 0 {
            bits = (x * 18_014_398_509_481_984).bitPattern
            shift = -54
        }
        var exponent = Double(Int(bits >> 52) - 1023) + shift
        var m = Double(bitPattern: bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
        if m > 1.4142135623730951 {
            m /= 2
            exponent += 1
        }
        let s = (m - 1) / (m + 1)
        let q = s * s
        var sum = 1.0 / 23
        sum = sum * q + 1.0 / 21
        sum = sum * q + 1.0 / 19
        sum = sum * q + 1.0 / 17
        sum = sum * q + 1.0 / 15
        sum = sum * q + 1.0 / 13
        sum = sum * q + 1.0 / 11
        sum = sum * q + 1.0 / 9
        sum = sum * q + 1.0 / 7
        sum = sum * q + 1.0 / 5
        sum = sum * q + 1.0 / 3
        return exponent * ln2High + (2 * s + (2 * s * q * sum + exponent * ln2Low))
    }

    /// e to the power of `x`; 0 below the smallest number, the greatest finite one above the largest.
    ///
    /// `x = k ln 2 + r` with r at most half of ln 2, whose exponential is summed as its power series.
    static func exp(_ x: Double) -> Double {
        guard x > -708 else { return 0 }
        guard x < 709 else { return .greatestFiniteMagnitude }
        let k = (x * 1.4426950408889634).rounded()
        let r = (x - k * ln2High) - k * ln2Low
        var term = 1.0
        var sum = 1.0
        for n in 1..<18 {
            term = term * r / Double(n)
            sum += term
        }
        return sum * Double(bitPattern: UInt64(Int(k) + 1023) << 52)
    }
}
