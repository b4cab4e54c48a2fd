/// Reads decimal numbers as JSON (RFC 8259, section 6) and venues' decimal strings write them.
public enum DecimalParser {
    /// Powers of ten that a double holds exactly.
    @usableFromInline static let exactPowers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Reads one number at the start of `bytes`.
    ///
    /// Up to 2^53 in the digits the result is one division of exact numbers, hence correctly rounded (Clinger 1990, "How to
    /// read floating point numbers accurately"); up to 18 digits it is a long division; other numbers take the standard
    /// library's slower, equally exact way.
    /// - Returns: the value and how many bytes it took; `nil` where there is no number or it is not finite.
    @inlinable
    public static func parse(_ bytes: UnsafeRawBufferPointer) -> (value: Double, length: Int)? {
        guard let base = bytes.baseAddress else { return nil }
        let count = bytes.count
        var at = 0
        let negative = count > 0 && base.load(as: UInt8.self) == 0x2D
        if negative { at = 1 }
        var mantissa: UInt64 = 0
        let integerStart = at
        takeDigits(base, count, &at, &mantissa)
        let integerDigits = at &- integerStart
        // A number needs a digit, and no leading zero before another one.
        guard integerDigits > 0 else { return nil }
        if integerDigits > 1, base.load(fromByteOffset: integerStart, as: UInt8.self) == 0x30 { return nil }
        var fractionDigits = 0
        if at < count, base.load(fromByteOffset: at, as: UInt8.self) == 0x2E {
            at += 1
            let fractionStart = at
            takeDigits(base, count, &at, &mantissa)
            fractionDigits = at &- fractionStart
            guard fractionDigits > 0 else { return nil }
        }
        if at < count, base.load(fromByteOffset: at, as: UInt8.self) | 0x20 == 0x65 {
            return parseUnusual(bytes, from: at, hasExponent: true)
        }
        // 18 digits cannot overflow the mantissa.
        guard integerDigits + fractionDigits <= 18 else {
            return parseUnusual(bytes, from: at, hasExponent: false)
        }
        let magnitude: Double
        if fractionDigits == 0 {
            magnitude = Double(mantissa)
        } else if mantissa <= 1 << 53 {
            magnitude = Double(mantissa) / power(fractionDigits)
        } else {
            guard let quotient = quotient(mantissa, fractionDigits) else {
                return parseUnusual(bytes, from: at, hasExponent: false)
            }
            magnitude = quotient
        }
        return (negative ? -magnitude : magnitude, at)
    }

    /// `mantissa / 10^exponent`, correctly rounded, where the mantissa is more than a double holds: seconds with nanoseconds
    /// are. By long division to 64 bits behind the point, and whether anything is left.
    /// - Returns: `nil` where those are too few bits: of numbers far below one.
    @usableFromInline
    static func quotient(_ mantissa: UInt64, _ exponent: Int) -> Double? {
        var divisor: UInt64 = 1
        for _ in 0..<exponent { divisor *= 10 }
        let (whole, remainder) = mantissa.quotientAndRemainder(dividingBy: divisor)
        var (fraction, rest) = (UInt64(0), remainder)
        var bits = 0
        // The rest is below the divisor: it can be moved by as many bits as that has free.
        let free = divisor.leadingZeroBitCount
        while bits < 64 {
            let step = min(free, 64 - bits)
            let (digits, left) = (rest << UInt64(step)).quotientAndRemainder(dividingBy: divisor)
            fraction = fraction << UInt64(step) | digits
            rest = left
            bits += step
        }
        let zeros = whole == 0 ? 64 + fraction.leadingZeroBitCount : whole.leadingZeroBitCount
        // Of 64 bits at least one must be behind those of the result.
        guard zeros <= 74 else { return nil }
        // The highest 64 bits, and whether there are any below.
        let high: UInt64
        let low: UInt64
        if zeros >= 64 {
            (high, low) = (fraction << UInt64(zeros - 64), 0)
        } else {
            high = whole << UInt64(zeros) | (zeros == 0 ? 0 : fraction >> UInt64(64 - zeros))
            low = fraction << UInt64(zeros)
        }
        let (kept, dropped) = (high >> 11, high & 0x7FF)
        let isUp = dropped > 0x400 || dropped == 0x400 && (low != 0 || rest != 0 || kept & 1 == 1)
        // A power of two, hence exact.
        return Double(kept + (isUp ? 1 : 0)) * Double(bitPattern: UInt64(1023 + 11 - zeros) << 52)
    }

    /// Reads a whole number of 1 to 18 digits without sign at the start of `bytes`; `nil` too where `Int` has 32 bits
    /// and the number more.
    @inlinable @inline(__always)
    public static func wholeNumber(_ bytes: UnsafeRawBufferPointer) -> (value: Int, length: Int)? {
        guard let base = bytes.baseAddress else { return nil }
        var length = 0
        var value: UInt64 = 0
        takeDigits(base, bytes.count, &length, &value)
        guard length > 0, length <= 18, length == 1 || base.load(as: UInt8.self) != 0x30,
            let whole = Int(exactly: value)
        else { return nil }
        return (whole, length)
    }

    /// Appends the digits from `at` on to `mantissa`, eight at a time while there are eight.
    @inlinable @inline(__always)
    static func takeDigits(_ base: UnsafeRawPointer, _ count: Int, _ at: inout Int, _ mantissa: inout UInt64) {
        while at &+ 8 <= count {
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            // Every byte is 0x30...0x39: its high half is 3, also after adding 6.
            let high = word & 0xF0F0_F0F0_F0F0_F0F0
            let above = (word &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0
            guard high == 0x3030_3030_3030_3030, above == 0x3030_3030_3030_3030 else { break }
            // Pairs, then fours, then all eight, each by one multiplication.
            var digits = word &- 0x3030_3030_3030_3030
            digits = digits &* 10 &+ digits >> 8
            digits =
                ((digits & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
                    &+ (digits >> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001) >> 32
            mantissa = mantissa &* 100_000_000 &+ digits & 0xFFFF_FFFF
            at &+= 8
        }
        while at < count {
            let digit = base.load(fromByteOffset: at, as: UInt8.self) &- 0x30
            guard digit < 10 else { break }
            mantissa = mantissa &* 10 &+ UInt64(digit)
            at &+= 1
        }
    }

    @inlinable @inline(__always)
    static func power(_ exponent: Int) -> Double {
        exactPowers.withUnsafeBufferPointer { $0[exponent] }
    }

    /// The rest of the grammar: an exponent, or more digits than fit.
    @usableFromInline
    static func parseUnusual(
        _ bytes: UnsafeRawBufferPointer, from: Int, hasExponent: Bool
    ) -> (value: Double, length: Int)? {
        var end = from
        if hasExponent {
            end += 1
            if end < bytes.count, bytes[end] == 0x2B || bytes[end] == 0x2D { end += 1 }
            let digits = end
            while end < bytes.count, bytes[end] &- 0x30 < 10 { end += 1 }
            guard end > digits else { return nil }
        }
        // Longer numbers than this are no market data; the bound keeps hostile input cheap.
        guard end <= 1024, let value = Double(String(decoding: bytes[..<end], as: UTF8.self)), value.isFinite else {
            return nil
        }
        return (value, end)
    }

    /// Reads a text that must be one number and nothing else, as in `"price":"0.791"`.
    @inlinable
    public static func parseWhole(_ bytes: UnsafeRawBufferPointer) -> Double? {
        guard let (value, length) = parse(bytes), length == bytes.count else { return nil }
        return value
    }
}
