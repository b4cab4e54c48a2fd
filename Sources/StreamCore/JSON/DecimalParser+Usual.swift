/// Numbers as venues write them most often: up to sixteen digits, eight behind the point, no exponent. Where digits end
/// differs from message to message, and a branch on it is guessed wrong half the time. So eight bytes are read at once
/// wherever the number stands, its length is counted and not searched for, and only rare forms are looked for. Those
/// are left to `DecimalParser.parseFraction`, which reads the same.
extension DecimalParser {
    /// Reads the number that begins at `start`.
    /// - Parameter bytes: all of the message: what stands behind the number is looked at, as far as it is there.
    /// - Returns: the value, its length in bytes, and how many digits behind the point count, trailing zeros left out;
    ///   `nil` where the number is unusual, or none.
    @inlinable @_transparent
    package static func usual(
        _ bytes: UnsafeRawBufferPointer, at start: Int
    ) -> (value: Double, length: Int, decimals: Int)? {
        guard let base = bytes.baseAddress, bytes.count >= 8, start < bytes.count else { return nil }
        let count = bytes.count
        let isNegative = base.load(fromByteOffset: start, as: UInt8.self) == 0x2D
        let first = start &+ (isNegative ? 1 : 0)
        if let (value, length, decimals) = short(base, count, first) {
            return (signed(value, isNegative), first &+ length &- start, decimals)
        }
        guard let (whole, wholeDigits, next) = usualDigits(base, count, first) else { return nil }
        var end = first &+ wholeDigits
        guard next == 0x2E else {
            guard next | 0x20 != 0x65 else { return nil }
            return (signed(Double(Int64(bitPattern: whole)), isNegative), end &- start, 0)
        }
        end &+= 1
        let word = Self.word(base, count, end) ^ 0x3030_3030_3030_3030
        // Eight where all are digits.
        let digits = others(word).trailingZeroBitCount >> 3
        end &+= digits
        let moved = word &<< UInt64(truncatingIfNeeded: 64 &- digits &* 8)
        let power = Self.power(digits)
        // Exact below 2^53.
        let mantissa = Double(Int64(bitPattern: whole)) * power + Double(Int64(bitPattern: number(of: moved)))
        let behind = end < count ? base.load(fromByteOffset: end, as: UInt8.self) : 0
        guard digits > 0, behind &- 0x30 >= 10, behind | 0x20 != 0x65, mantissa < 9_007_199_254_740_992 else {
            return nil
        }
        let zeros = min(digits, moved.leadingZeroBitCount >> 3)
        return (signed(mantissa / power, isNegative), end &- start, digits &- zeros)
    }

    /// The same without a sign, of at most eight bytes with a point among them: one word has all of it.
    @inlinable @_transparent
    static func short(
        _ base: UnsafeRawPointer, _ count: Int, _ first: Int
    ) -> (value: Double, length: Int, decimals: Int)? {
        let text = Self.word(base, count, first)
        let word = text ^ 0x3030_3030_3030_3030
        let others = Self.others(word)
        // In bits; a point adds nothing to the bits above it, so that what ends the number is exact, too.
        let point = others.trailingZeroBitCount & 0x78
        let length = (others & (others &- 1)).trailingZeroBitCount >> 3
        guard point > 0, text &>> UInt64(truncatingIfNeeded: point) & 0xFF == 0x2E else { return nil }
        let whole: UInt64 = 1 &<< UInt64(truncatingIfNeeded: point) &- 1
        // Without the point, and moved to the end.
        let moved = (word & whole | word &>> 8 & ~whole) &<< UInt64(truncatingIfNeeded: 72 &- length &* 8)
        let digits = length &- point >> 3 &- 1
        let end = first &+ length
        let behind = end < count ? base.load(fromByteOffset: end, as: UInt8.self) : 0
        guard digits > 0, behind &- 0x30 >= 10, behind | 0x20 != 0x65, word & 0xFF != 0 || point == 8 else {
            return nil
        }
        let zeros = min(digits, moved.leadingZeroBitCount >> 3)
        let value = Double(Int64(bitPattern: number(of: moved))) / power(digits)
        return (value, length, digits &- zeros)
    }

    /// Without a branch: whether a trade was a sale cannot be guessed.
    @inlinable @_transparent
    static func signed(_ value: Double, _ isNegative: Bool) -> Double {
        Double(bitPattern: value.bitPattern | (isNegative ? 1 : 0) &<< 63)
    }

    /// Reads the whole number without sign that begins at `start`, of up to fifteen digits; `nil` where there is
    /// another one, or none.
    @inlinable @_transparent
    package static func usualWhole(_ bytes: UnsafeRawBufferPointer, at start: Int) -> (value: UInt64, length: Int)? {
        guard let base = bytes.baseAddress, bytes.count >= 8, start < bytes.count,
            let (value, digits, _) = usualDigits(base, bytes.count, start)
        else { return nil }
        return (value, digits)
    }

    /// One to fifteen digits, no zero before another one, and the byte behind them; 0 at the end of the bytes.
    @inlinable @_transparent
    static func usualDigits(
        _ base: UnsafeRawPointer, _ count: Int, _ start: Int
    ) -> (value: UInt64, digits: Int, next: UInt8)? {
        var text = Self.word(base, count, start)
        var word = text ^ 0x3030_3030_3030_3030
        var others = Self.others(word)
        let isZero = word & 0xFF == 0
        var value: UInt64 = 0
        var digits = 0
        if others == 0 {
            value = number(of: word)
            digits = 8
            text = Self.word(base, count, start &+ 8)
            word = text ^ 0x3030_3030_3030_3030
            others = Self.others(word)
            guard others != 0 else { return nil }
            value = value &* wholePower(others.trailingZeroBitCount >> 3)
        }
        let length = others.trailingZeroBitCount >> 3
        // By 64 bits where there are no more digits: in two steps.
        let moved = (word &<< 8) &<< UInt64(truncatingIfNeeded: 56 &- length &* 8)
        value = value &+ number(of: moved)
        digits &+= length
        guard digits > 0, digits == 1 || !isZero else { return nil }
        return (value, digits, UInt8(truncatingIfNeeded: text &>> UInt64(truncatingIfNeeded: length &* 8)))
    }

    /// The eight bytes from here on, the first one lowest; zeros behind the end. There must be eight bytes altogether.
    @inlinable @_transparent
    static func word(_ base: UnsafeRawPointer, _ count: Int, _ at: Int) -> UInt64 {
        if at &+ 8 <= count { return UInt64(littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt64.self)) }
        guard at < count else { return 0 }
        let last = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
        return last &>> UInt64(truncatingIfNeeded: (at &+ 8 &- count) &* 8)
    }

    /// The highest bit of the bytes that are no digits. The lowest one set is exact: carries only spoil those above it.
    /// - Parameter digits: bytes of which a digit's is 0 to 9.
    @inlinable @_transparent
    static func others(_ digits: UInt64) -> UInt64 {
        ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
    }
}
