/// Numbers as people read them on a chart. Formatted here and not by a platform's formatter, so that every platform
/// writes the same bytes. Prices and changes have the minus sign U+2212, which is as wide as a plus.
extension TextBuffer {
    /// A price: `67,234.50` for precision 2.
    /// - Parameters:
    ///   - value: from 1e15 on it is written as `1.23e20`; not finite numbers as a dash.
    ///   - precision: digits after the point, 0 to 10.
    @inline(never)
    package mutating func append(price value: Double, precision: Int) {
        append(decimal: value, precision: precision, grouped: true, minus: "−")
    }

    /// A volume or another quantity, short: `0.0042`, `12.34`, `1.2K`, `3.4M`, `5B`, `6T`.
    @inline(never)
    package mutating func append(compact value: Double) {
        guard value.isFinite else { return append(byte: 0x2D) }
        let magnitude = value.magnitude
        // The limits are where rounding would write 1000 of the smaller unit.
        if magnitude < 1 {
            append(shortest: value, decimals: 4)
        } else if magnitude < 999.995 {
            append(shortest: value, decimals: 2)
        } else if magnitude < 999_950 {
            append(shortest: value / 1e3, decimals: 1)
            append("K")
        } else if magnitude < 999_950_000 {
            append(shortest: value / 1e6, decimals: 1)
            append("M")
        } else if magnitude < 999_950_000_000 {
            append(shortest: value / 1e9, decimals: 1)
            append("B")
        } else if magnitude < 999.95e12 {
            append(shortest: value / 1e12, decimals: 1)
            append("T")
        } else {
            append(scientific: value)
        }
    }

    /// A number with at most `decimals` digits after the point and no zeros at its end.
    @inline(never)
    package mutating func append(shortest value: Double, decimals: Int) {
        let start = bytes.count
        append(decimal: value, precision: decimals, grouped: false)
        trimDecimals(since: start)
    }

    /// A number with exactly `precision` digits after the point, rounded half away from zero in the scaled value.
    /// - Parameter minus: what stands before a negative number.
    @inline(never)
    package mutating func append(decimal value: Double, precision: Int, grouped: Bool, minus: StaticString = "-") {
        guard value.isFinite else { return append(byte: 0x2D) }
        let magnitude = value.magnitude
        guard magnitude < 1e15 else { return append(scientific: value, minus: minus) }
        // Beyond 2^53 the scaled value has no honest digits left: fewer decimals then.
        var decimals = min(max(precision, 0), 10)
        while decimals > 0 && magnitude * powerOfTen(decimals) >= 9e15 { decimals -= 1 }
        let unit = powerOfTen(decimals)
        let scaled = UInt64(magnitude * unit + 0.5)
        let whole = UInt64(unit)
        if value < 0 && scaled > 0 { append(minus) }
        append(integer: scaled / whole, grouped: grouped)
        if decimals > 0 {
            append(".")
            append(integer: scaled % whole, width: decimals)
        }
    }

    /// `1.23e20`, for numbers no label has room for otherwise.
    private mutating func append(scientific value: Double, minus: StaticString = "-") {
        var mantissa = value.magnitude
        var exponent: UInt64 = 0
        while mantissa >= 9.995 {
            mantissa /= 10
            exponent += 1
        }
        if value < 0 { append(minus) }
        append(shortest: mantissa, decimals: 2)
        append("e")
        append(integer: exponent)
    }
}

/// 10 to the power of `exponent` for 0 to 22, where every one of them is exact.
func powerOfTen(_ exponent: Int) -> Double {
    var power = 1.0
    for _ in 0..<max(exponent, 0) { power *= 10 }
    return power
}
