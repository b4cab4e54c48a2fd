extension ExactDecimal {
    /// The decimal that the double prints as: 0.1 is 0.1, not 0.1000000000000000055.
    ///
    /// A decimal of at most 15 digits that reads as this double is the only one, so the usual numbers of markets need
    /// one multiplication; the rest go through the printed text.
    /// - Returns: `nil` for NaN, the infinities, more than 16 decimals and outside ±10^22.
    public init?(_ value: Double) {
        if let units = Self.units(of: value, scale: 1e2, each: 100_000_000_000_000)
            ?? Self.units(of: value, scale: 1e8, each: 100_000_000)
        {
            self.init(trusted: units)
        } else {
            guard value.isFinite else { return nil }
            self.init(value.description)
        }
    }

    /// The nearest decimal of 16 places: doubles that were computed (0.1 + 0.2) print with more.
    /// - Returns: `nil` for NaN, the infinities and outside ±10^22.
    public init?(nearest value: Double) {
        if let exact = ExactDecimal(value) {
            self = exact
            return
        }
        guard value.isFinite, value.magnitude < 1e22 else { return nil }
        // Here the last printed digit is beyond the sixteenth decimal, so the value is small enough to be cut in two.
        let whole = value.rounded(.towardZero)
        guard whole.magnitude < 1e15 else { return nil }
        let fraction = ((value - whole) * 1e16).rounded(.toNearestOrEven)
        self.init(trusted: Int128(Int64(whole)) * Self.one + Int128(Int64(fraction)))
    }

    /// The nearest double.
    public var doubleValue: Double {
        let (hundredMillionths, rest) = units.quotientAndRemainder(dividingBy: 100_000_000)
        // Both operands are exact, and a division rounds once.
        if rest == 0, hundredMillionths.magnitude < 1 << 53 { return Double(Int64(hundredMillionths)) / 1e8 }
        return Double(description) ?? 0
    }

    /// Within a few units in the last place of the nearest double, and much faster than that: for estimates.
    var approximateDouble: Double {
        let magnitude = units.magnitude
        let (high, low) = (UInt64(magnitude >> 64), UInt64(truncatingIfNeeded: magnitude))
        let value = (Double(high) * 0x1p64 + Double(low)) / 1e16
        return units < 0 ? -value : value
    }

    @inline(__always)
    private static func units(of value: Double, scale: Double, each: Int64) -> Int128? {
        let scaled = (value * scale).rounded()
        guard scaled.magnitude < 1e15, scaled / scale == value else { return nil }
        return Int128(Int64(scaled)) * Int128(each)
    }
}
