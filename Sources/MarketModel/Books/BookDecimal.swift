/// A price or a size of an order book: its exact value, and the digits in which a venue wrote it.
///
/// ```swift
/// let price = BookDecimal("64525.30")!
/// price == BookDecimal("64525.3")!      // true: one value
/// price.description                     // 64525.30: some venues compute checksums over these digits
/// ```
///
/// Up to 18 digits behind the point, and up to 9,223,372,036,854,775,807 units of the last digit that counts.
public struct BookDecimal: Sendable {
    /// The number in units of 10^-`decimals`.
    public let units: Int64
    /// Digits behind the point that count: one of `0.10`. More than none only where the last one is not zero.
    public let decimals: UInt8
    let form: Form

    /// How it is written.
    struct Form: Sendable {
        /// Digits behind the point in the lower five bits; the highest bit: as `1.1e-7`, whatever those are.
        fileprivate let bits: UInt8

        static let exponential = Form(bits: 0x80)
        static let maxDecimals = 31
        fileprivate init(bits: UInt8) { self.bits = bits }
        init(decimals: Int) { bits = UInt8(truncatingIfNeeded: min(decimals, Self.maxDecimals)) }
        var isExponential: Bool { bits & 0x80 != 0 }
        var decimals: Int { Int(bits & 0x1F) }
    }

    public static let zero = BookDecimal(units: 0, decimals: 0, form: Form(decimals: 0))
    /// Most digits behind the point.
    public static let maxDecimals = 18

    init(units: Int64, decimals: UInt8, form: Form) {
        self.units = units
        self.decimals = decimals
        self.form = form
    }

    /// `units` of 10^-`decimals`, written with as many digits behind the point as count.
    /// - Parameter decimals: 0 to 18.
    public init(units: Int64, decimals: Int) {
        precondition(decimals >= 0 && decimals <= Self.maxDecimals)
        var (units, left) = (units, decimals)
        while left > 0 {
            let (quotient, rest) = units.quotientAndRemainder(dividingBy: 10)
            guard rest == 0 else { break }
            units = quotient
            left -= 1
        }
        self.init(units: units, decimals: UInt8(left), form: Form(decimals: left))
    }

    /// Reads a number in JSON's form: `64525.30`, `1.1e-7`.
    /// - Returns: `nil` for anything else, and for what is out of range.
    public init?(_ text: UnsafeRawBufferPointer) {
        guard let number = Self.read(text) else { return nil }
        self = number
    }

    public init?(_ text: String) {
        var copy = text
        guard let number = copy.withUTF8({ Self.read(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = number
    }

    public var isZero: Bool { units == 0 }
    public var isNegative: Bool { units < 0 }
    /// The nearest double; of more than 2^53 units, one of the two nearest.
    public var double: Double { Double(units) / Double(Self.powerOfTen(Int(decimals))) }

    /// Without its sign.
    public var magnitude: BookDecimal {
        units < 0 ? BookDecimal(units: units == .min ? .max : -units, decimals: decimals, form: form) : self
    }

    /// 10^`exponent`, for 0 to 18. A multiplication for each bit: a table would be looked up at each use.
    @inline(__always)
    package static func powerOfTen(_ exponent: Int) -> Int64 {
        let bits = Int64(truncatingIfNeeded: exponent)
        return (1 &+ (bits & 1) &* 9) &* (1 &+ (bits &>> 1 & 1) &* 99) &* (1 &+ (bits &>> 2 & 1) &* 9999)
            &* (1 &+ (bits &>> 3 & 1) &* 99_999_999) &* (1 &+ (bits &>> 4 & 1) &* 9_999_999_999_999_999)
    }

    // MARK: Reading

    @inline(__always)
    private static func read(_ text: UnsafeRawBufferPointer) -> BookDecimal? {
        guard let base = text.baseAddress, text.count > 0 else { return nil }
        let count = text.count
        let start = base.load(as: UInt8.self) == UInt8(ascii: "-") ? 1 : 0
        // Zeros at the end do not count behind the point; before it they are put back.
        var end = count
        while end > start, base.load(fromByteOffset: end &- 1, as: UInt8.self) == UInt8(ascii: "0") { end &-= 1 }
        var value: UInt64 = 0
        var point = -1
        var at = start
        while at < end {
            let byte = base.load(fromByteOffset: at, as: UInt8.self)
            let digit = byte &- 0x30
            if digit < 10 {
                value = value &* 10 &+ UInt64(digit)
            } else if byte == UInt8(ascii: "."), point < 0 {
                point = at
            } else {
                return byte | 0x20 == UInt8(ascii: "e") ? readExponential(text, mark: at) : nil
            }
            at &+= 1
        }
        let whole = (point < 0 ? count : point) &- start
        guard whole > 0, whole == 1 || base.load(fromByteOffset: start, as: UInt8.self) != 0x30 else { return nil }
        let digits = end &- start &- (point < 0 ? 0 : 1)
        let written = point < 0 ? 0 : count &- point &- 1
        let decimals = point < 0 ? 0 : max(0, end &- point &- 1)
        guard point < 0 || written > 0, written <= Form.maxDecimals, decimals <= maxDecimals else { return nil }
        // Nineteen digits fit into 64 bits; leading zeros are not among them.
        guard digits <= 19, value <= UInt64(Int64.max) else { return nil }
        var units = Int64(truncatingIfNeeded: value)
        if point < 0, end < count {
            guard let full = times(units, tenTo: count &- end) else { return nil }
            units = full
        }
        return BookDecimal(
            units: start == 1 ? -units : units, decimals: UInt8(truncatingIfNeeded: decimals),
            form: Form(decimals: written))
    }

    private static func times(_ units: Int64, tenTo exponent: Int) -> Int64? {
        guard units != 0 else { return 0 }
        guard exponent <= maxDecimals else { return nil }
        let (product, isTooLarge) = units.multipliedReportingOverflow(by: powerOfTen(exponent))
        return isTooLarge ? nil : product
    }

    /// - Parameter mark: where the `e` stands.
    @inline(never)
    private static func readExponential(_ text: UnsafeRawBufferPointer, mark: Int) -> BookDecimal? {
        guard let mantissa = read(UnsafeRawBufferPointer(rebasing: text[..<mark])) else { return nil }
        var at = mark + 1
        guard at < text.count else { return nil }
        let isSmall = text[at] == UInt8(ascii: "-")
        if isSmall || text[at] == UInt8(ascii: "+") { at += 1 }
        guard at < text.count else { return nil }
        var exponent = 0
        for byte in text[at...] {
            guard byte &- 0x30 < 10 else { return nil }
            exponent = min(exponent * 10 + Int(byte & 15), 999)
        }
        if mantissa.isZero { return BookDecimal(units: 0, decimals: 0, form: .exponential) }
        let decimals = Int(mantissa.decimals) + (isSmall ? exponent : -exponent)
        guard decimals <= maxDecimals else { return nil }
        if decimals >= 0 {
            // Of `20e-1` the zero does not count.
            let reduced = BookDecimal(units: mantissa.units, decimals: decimals)
            return BookDecimal(units: reduced.units, decimals: reduced.decimals, form: .exponential)
        }
        guard let units = times(mantissa.units, tenTo: -decimals) else { return nil }
        return BookDecimal(units: units, decimals: 0, form: .exponential)
    }
}

extension BookDecimal: Comparable, Hashable {
    public static func == (one: BookDecimal, other: BookDecimal) -> Bool {
        one.units == other.units && one.decimals == other.decimals
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(units)
        hasher.combine(decimals)
    }

    public static func < (one: BookDecimal, other: BookDecimal) -> Bool {
        if one.decimals == other.decimals { return one.units < other.units }
        let more = Int(one.decimals) - Int(other.decimals)
        let (left, right) = (Int128(one.units), Int128(other.units))
        return more < 0 ? left * Int128(powerOfTen(-more)) < right : left < right * Int128(powerOfTen(more))
    }
}
