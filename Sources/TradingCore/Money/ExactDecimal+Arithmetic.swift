extension ExactDecimal {
    public static prefix func - (value: ExactDecimal) -> ExactDecimal { ExactDecimal(trusted: -value.units) }

    /// Exact. Throws ``DecimalError/outOfRange``.
    public static func + (left: ExactDecimal, right: ExactDecimal) throws(DecimalError) -> ExactDecimal {
        let (units, overflow) = left.units.addingReportingOverflow(right.units)
        guard !overflow else { throw .outOfRange }
        return try ExactDecimal(units: units)
    }

    /// Exact. Throws ``DecimalError/outOfRange``.
    public static func - (left: ExactDecimal, right: ExactDecimal) throws(DecimalError) -> ExactDecimal {
        try left + -right
    }

    public static func += (left: inout ExactDecimal, right: ExactDecimal) throws(DecimalError) {
        left = try left + right
    }

    public static func -= (left: inout ExactDecimal, right: ExactDecimal) throws(DecimalError) {
        left = try left - right
    }

    /// The product, exact where it has at most 16 decimals (a price of 8 times a quantity of 8 has), else rounded once.
    public func multiplied(
        by factor: ExactDecimal, rounding: DecimalRounding = .halfEven
    ) throws(DecimalError) -> ExactDecimal {
        try scaled(by: factor.units, over: Self.one, rounding: rounding)
    }

    /// The quotient, rounded once to `decimals` (0 to 16) decimals.
    public func divided(
        by divisor: ExactDecimal, decimals: Int = ExactDecimal.decimals, rounding: DecimalRounding = .halfEven
    ) throws(DecimalError) -> ExactDecimal {
        let places = min(max(decimals, 0), Self.decimals)
        let quotient = try scaled(by: Self.power(places), over: divisor.units, rounding: rounding)
        return try quotient.shifted(by: Self.decimals - places)
    }

    /// The quotient by a whole number above 0, rounded once to 16 decimals: the same as dividing by its decimal, in one step.
    func divided(byWhole divisor: Int, rounding: DecimalRounding) throws(DecimalError) -> ExactDecimal {
        guard divisor > 0 else { return try divided(by: ExactDecimal(divisor), rounding: rounding) }
        if divisor == 1 { return self }
        let (magnitude, whole) = (units.magnitude, UInt128(divisor))
        var quotient = magnitude / whole
        if rounding.increases(
            remainder: magnitude &- quotient &* whole, divisor: whole, isOdd: quotient & 1 == 1, isNegative: units < 0)
        {
            quotient += 1
        }
        return ExactDecimal(trusted: units < 0 ? -Int128(quotient) : Int128(quotient))
    }

    /// `self * numerator / denominator`, rounded once to 16 decimals: a part of an amount.
    public func multiplied(
        by numerator: ExactDecimal, over denominator: ExactDecimal, rounding: DecimalRounding = .halfEven
    ) throws(DecimalError) -> ExactDecimal {
        try scaled(by: numerator.units, over: denominator.units, rounding: rounding)
    }

    /// The value with at most `decimals` (0 to 16) decimals. Throws only where rounding leaves the range.
    public func rounded(decimals: Int, rounding: DecimalRounding = .halfUp) throws(DecimalError) -> ExactDecimal {
        let places = min(max(decimals, 0), Self.decimals)
        if places == Self.decimals { return self }
        return try scaled(by: 1, over: Self.power(Self.decimals - places), rounding: rounding)
            .shifted(by: Self.decimals - places)
    }

    /// 10^exponent for 0 to 16.
    static func power(_ exponent: Int) -> Int128 { Int128(powers[exponent]) }

    private static let powers: [Int64] = (0...16).map { exponent in
        (0..<exponent).reduce(Int64(1)) { power, _ in power * 10 }
    }

    private func shifted(by places: Int) throws(DecimalError) -> ExactDecimal {
        let (units, overflow) = units.multipliedReportingOverflow(by: Self.power(places))
        guard !overflow else { throw .outOfRange }
        return try ExactDecimal(units: units)
    }

    /// `units * factor / divisor` with 256 bits in between: 10^38 squared is below 2^253.
    private func scaled(
        by factor: Int128, over divisor: Int128, rounding: DecimalRounding
    ) throws(DecimalError) -> ExactDecimal {
        guard divisor != 0 else { throw .divisionByZero }
        let isNegative = ((units < 0) != (factor < 0)) != (divisor < 0)
        let (high, low) = units.magnitude.multipliedFullWidth(by: factor.magnitude)
        let magnitude = divisor.magnitude
        // A quotient of 2^128 and more would trap below; one beyond the limit is refused after it.
        guard high < magnitude else { throw .outOfRange }
        var quotient: UInt128
        let remainder: UInt128
        if let word = UInt64(exactly: magnitude) {
            // Nearly always: by 1, by a whole number, by a quantity below 1844.
            (quotient, remainder) = word.dividing(UInt64(truncatingIfNeeded: high), low)
        } else if high == 0 {
            quotient = low / magnitude
            remainder = low &- quotient &* magnitude
        } else {
            (quotient, remainder) = magnitude.dividingFullWidth((high, low))
        }
        guard quotient <= Self.limit.magnitude else { throw .outOfRange }
        if rounding.increases(
            remainder: remainder, divisor: magnitude, isOdd: quotient & 1 == 1, isNegative: isNegative)
        {
            quotient += 1
        }
        return try ExactDecimal(units: isNegative ? -Int128(quotient) : Int128(quotient))
    }
}

extension UInt64 {
    /// Divides `high * 2^128 + low` by itself, which has to be above `high`: two divisions of the processor, where the general
    /// one of 128 bits takes ten times as long.
    @inline(__always)
    fileprivate func dividing(_ high: UInt64, _ low: UInt128) -> (quotient: UInt128, remainder: UInt128) {
        let middle = UInt64(truncatingIfNeeded: low >> 64)
        let (first, rest) = high == 0 && middle < self ? (0, middle) : dividingFullWidth((high, middle))
        let (second, remainder) = dividingFullWidth((rest, UInt64(truncatingIfNeeded: low)))
        return (UInt128(first) << 64 | UInt128(second), UInt128(remainder))
    }
}
