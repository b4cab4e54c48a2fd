/// Reads decimal numbers as JSON (RFC 8259, section 6) and venues' decimal strings write them.
@usableFromInline package enum DecimalParser {
    /// Reads one number at the start of `bytes`.
    ///
    /// Up to 2^53 in the digits the result is one division of exact numbers, hence correctly rounded (Clinger 1990,
    /// "How to read floating point numbers accurately"); up to 18 digits it is a long division; other numbers go to the
    /// standard library's slower, equally exact way.
    /// - Returns: the value and its length in bytes; `nil` where there is no number or it is not finite.
    @inlinable @_transparent
    package static func parse(_ bytes: UnsafeRawBufferPointer) -> (value: Double, length: Int)? {
        guard let number = parseFraction(bytes) else { return nil }
        return (number.value, number.length)
    }

    /// The same for those who count decimals.
    /// - Returns: also how many digits are behind the point; -1 where there is an exponent.
    @inlinable package static func parseFraction(
        _ bytes: UnsafeRawBufferPointer
    ) -> (value: Double, length: Int, fractionDigits: Int)? {
        guard let base = bytes.baseAddress else { return nil }
        let count = bytes.count
        var at = 0
        let negative = count > 0 && base.load(as: UInt8.self) == 0x2D
        if negative { at = 1 }
        var mantissa: UInt64 = 0
        let integerStart = at
        readDigits(base, count, &at, &mantissa)
        let integerDigits = at &- integerStart
        // A number needs a digit, and no leading zero before another one.
        guard integerDigits > 0 else { return nil }
        if integerDigits > 1, base.load(fromByteOffset: integerStart, as: UInt8.self) == 0x30 { return nil }
        var fractionDigits = 0
        if at < count, base.load(fromByteOffset: at, as: UInt8.self) == 0x2E {
            at += 1
            let fractionStart = at
            readDigits(base, count, &at, &mantissa)
            fractionDigits = at &- fractionStart
            guard fractionDigits > 0 else { return nil }
        }
        if at < count, base.load(fromByteOffset: at, as: UInt8.self) | 0x20 == 0x65 {
            return parseUnusual(bytes, from: at, hasExponent: true).map { ($0.value, $0.length, -1) }
        }
        // 18 digits cannot overflow the mantissa.
        guard integerDigits + fractionDigits <= 18 else {
            return parseUnusual(bytes, from: at, hasExponent: false).map { ($0.value, $0.length, fractionDigits) }
        }
        let magnitude: Double
        if fractionDigits == 0 {
            magnitude = Double(mantissa)
        } else if mantissa <= 1 << 53 {
            magnitude = Double(mantissa) / power(fractionDigits)
        } else {
            guard let quotient = quotient(mantissa, fractionDigits) else {
                return parseUnusual(bytes, from: at, hasExponent: false).map { ($0.value, $0.length, fractionDigits) }
            }
            magnitude = quotient
        }
        return (negative ? -magnitude : magnitude, at, fractionDigits)
    }

    /// `mantissa / 10^exponent`, correctly rounded, where the mantissa is more than a double holds: seconds with
    /// nanoseconds are. By long division to 64 bits behind the point, and whether anything is left.
    /// - Returns: `nil` where those are too few bits: of numbers far below one.
    @usableFromInline static func quotient(_ mantissa: UInt64, _ exponent: Int) -> Double? {
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
    @inlinable @_transparent
    package static func wholeNumber(_ bytes: UnsafeRawBufferPointer) -> (value: Int, length: Int)? {
        guard let base = bytes.baseAddress else { return nil }
        var length = 0
        var value: UInt64 = 0
        readDigits(base, bytes.count, &length, &value)
        guard length > 0, length <= 18, length == 1 || base.load(as: UInt8.self) != 0x30,
            let whole = Int(exactly: value)
        else { return nil }
        return (whole, length)
    }

    /// Appends the digits from `at` on to `mantissa`, up to eight in one step without a branch for each.
    @inlinable @_transparent
    static func readDigits(_ base: UnsafeRawPointer, _ count: Int, _ at: inout Int, _ mantissa: inout UInt64) {
        while at &+ 8 <= count {
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            // A digit's byte becomes 0 to 9, any other one more: adding 0x76 then sets its highest bit.
            let digits = word ^ 0x3030_3030_3030_3030
            let others = Self.others(digits)
            guard others != 0 else {
                mantissa = mantissa &* 100_000_000 &+ number(of: digits)
                at &+= 8
                continue
            }
            let length = others.trailingZeroBitCount >> 3
            guard length > 0 else { return }
            // Moved to the end, with zeros before them.
            let moved = digits &<< UInt64(truncatingIfNeeded: 64 &- length &* 8)
            mantissa = mantissa &* wholePower(length) &+ number(of: moved)
            at &+= length
            return
        }
        while at < count {
            let digit = base.load(fromByteOffset: at, as: UInt8.self) &- 0x30
            guard digit < 10 else { break }
            mantissa = mantissa &* 10 &+ UInt64(digit)
            at &+= 1
        }
    }

    /// Eight digits, the first one in the lowest byte: pairs, then fours, then all eight, each by one multiplication.
    @inlinable @_transparent
    static func number(of bytes: UInt64) -> UInt64 {
        let pairs = bytes &* 10 &+ bytes >> 8
        let all =
            ((pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
                &+ (pairs >> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001) >> 32
        return all & 0xFFFF_FFFF
    }

    /// Ten to the power of 0 to 7, by which the first digits of a number are moved to make room for more. A
    /// multiplication for each bit of the exponent: of a `switch` the compiler may make a jump, which is guessed wrong
    /// where lengths differ.
    @inlinable @_transparent
    static func wholePower(_ exponent: Int) -> UInt64 {
        let bits = UInt64(truncatingIfNeeded: exponent)
        return (1 &+ (bits & 1) &* 9) &* (1 &+ (bits &>> 1 & 1) &* 99) &* (1 &+ (bits &>> 2 & 1) &* 9999)
    }

    /// Powers of ten that a double holds exactly, as far as 18 digits need them. A `switch`, of which the compiler
    /// makes a table of constants: a static array is made at the first use, and each use checks whether it was.
    @inlinable @_transparent
    static func power(_ exponent: Int) -> Double {
        switch exponent {
        case 0: 1
        case 1: 1e1
        case 2: 1e2
        case 3: 1e3
        case 4: 1e4
        case 5: 1e5
        case 6: 1e6
        case 7: 1e7
        case 8: 1e8
        case 9: 1e9
        case 10: 1e10
        case 11: 1e11
        case 12: 1e12
        case 13: 1e13
        case 14: 1e14
        case 15: 1e15
        case 16: 1e16
        case 17: 1e17
        default: 1e18
        }
    }

    /// The rest of the grammar: an exponent, or more digits than fit.
    @usableFromInline static func parseUnusual(
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
    @inlinable package static func parseWhole(_ bytes: UnsafeRawBufferPointer) -> Double? {
        guard let (value, length) = parse(bytes), length == bytes.count else { return nil }
        return value
    }
}
