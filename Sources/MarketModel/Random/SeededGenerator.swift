/// Random numbers that depend on a seed alone, on every platform: simulated markets, backoff's jitter and tests with a
/// named seed.
///
/// SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"). Not for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Uniform in 0..<1, 53 bits.
    public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    // MARK: What a simulated market draws

    /// Uniform in -1..<1.
    public mutating func signedUnit() -> Double { unit() * 2 - 1 }

    /// Exponentially distributed with mean 1.
    ///
    /// -ln(u) by a series of our own: the C library's logarithm differs in the last bit between platforms.
    public mutating func exponential() -> Double { -Self.naturalLogarithm(1 - unit()) }

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

/// The hash FNV-1a of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/): the same in every process, which `hashValue` is
/// not. Not for secrets.
package struct FNV1a: Sendable {
    package var value: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable package init() {}

    /// Of these bytes alone.
    @inlinable package init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { mix(byte) }
    }

    @inlinable package mutating func mix(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
