/// Reads and writes times like `2021-04-17T16:43:37.121358Z` (RFC 3339, section 5.6).
package enum RFC3339 {
    // MARK: Reading

    /// Seconds since 1970 UTC; `nil` where the text is not such a time. Leap seconds count as the next second.
    package static func seconds(_ text: UnsafeRawBufferPointer) -> Double? {
        guard let time = read(text) else { return nil }
        guard time.scale <= 1_000_000 else {
            return Double(time.whole) + Double(time.fraction) / Double(time.scale)
        }
        // One division of exact integers: the double nearest to the written time.
        return Double(time.whole * time.scale + time.fraction) / Double(time.scale)
    }

    /// The same in nanoseconds; `nil` also where 64 bits cannot hold them, before 1677 and after 2262.
    package static func nanoseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard let time = read(text), abs(time.whole) < 9_223_372_036 else { return nil }
        return time.whole * 1_000_000_000 + time.fraction * (1_000_000_000 / time.scale)
    }

    /// Whole seconds since 1970 UTC and `fraction / scale` of the next one. 64 bits everywhere: WebAssembly's `Int` has 32.
    private static func read(_ text: UnsafeRawBufferPointer) -> (whole: Int64, fraction: Int64, scale: Int64)? {
        guard text.count >= 20, text[4] == 0x2D, text[7] == 0x2D, text[10] | 0x20 == 0x74 || text[10] == 0x20,
            text[13] == 0x3A, text[16] == 0x3A, let year = digits(text, 0, 4), let month = digits(text, 5, 2),
            let day = digits(text, 8, 2), let hour = digits(text, 11, 2), let minute = digits(text, 14, 2),
            let second = digits(text, 17, 2), 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        // A day that the month does not have comes back as another one.
        guard CivilDate(daysSince1970: date.daysSince1970) == date else { return nil }

        var at = 19
        var fraction: Int64 = 0
        var scale: Int64 = 1
        if text[at] == 0x2E {
            at += 1
            let start = at
            while at < text.count, text[at] &- 0x30 < 10 {
                // Nine digits are kept; more would not change a double of this size.
                if at - start < 9 {
                    fraction = fraction * 10 + Int64(text[at] &- 0x30)
                    scale *= 10
                }
                at += 1
            }
            guard at > start else { return nil }
        }
        guard at < text.count, let offset = zone(text, at) else { return nil }
        let ofDay = hour * 3600 + minute * 60 + second - offset
        return (Int64(date.daysSince1970) * 86_400 + Int64(ofDay), fraction, scale)
    }

    /// Seconds east of UTC.
    private static func zone(_ text: UnsafeRawBufferPointer, _ at: Int) -> Int? {
        if text[at] | 0x20 == 0x7A { return at + 1 == text.count ? 0 : nil }
        guard text[at] == 0x2B || text[at] == 0x2D, at + 6 == text.count, text[at + 3] == 0x3A,
            let hours = digits(text, at + 1, 2), let minutes = digits(text, at + 4, 2), hours < 24, minutes < 60
        else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return text[at] == 0x2D ? -seconds : seconds
    }

    private static func digits(_ text: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int? {
        var value = 0
        for at in start..<start + count {
            let digit = text[at] &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }

    // MARK: Writing

    /// A time as `2024-08-08T05:00:00Z`. What lies outside the years 0 to 9999 is written as their end, NaN as 1970.
    /// - Parameter fractionDigits: 0 to 6 digits of a second, rounded: `2024-08-08T05:00:00.250Z`. With none, fractions are
    ///   cut off.
    package static func text(_ seconds: Double, fractionDigits: Int = 0) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(27)
        write(seconds, fractionDigits: fractionDigits) { bytes.append($0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same, byte by byte, to where it is needed.
    package static func write(_ seconds: Double, fractionDigits: Int = 0, _ append: (UInt8) -> Void) {
        let clamped = seconds.isNaN ? 0 : min(253_402_300_799, max(-62_167_219_200, seconds))
        let scale = powerOfTen(fractionDigits)
        let total = Int64((clamped * Double(scale)).rounded(fractionDigits > 0 ? .toNearestOrAwayFromZero : .down))
        let (whole, fraction) = floorDivision(total, by: scale)
        write(whole: whole, fraction: fraction, fractionDigits, append)
    }

    /// Nanoseconds since 1970 UTC as `2021-04-17T16:43:37.121358123Z`.
    /// - Parameter fractionDigits: 0 to 9 digits of a second; the others are cut off.
    package static func text(nanoseconds: Int64, fractionDigits: Int) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(30)
        let (whole, rest) = floorDivision(nanoseconds, by: 1_000_000_000)
        write(whole: whole, fraction: rest / powerOfTen(9 - fractionDigits), fractionDigits) { bytes.append($0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(whole: Int64, fraction: Int64, _ fractionDigits: Int, _ append: (UInt8) -> Void) {
        let (days, ofDay) = floorDivision(whole, by: 86_400)
        let date = CivilDate(daysSince1970: Int(days))
        write(Int64(date.year), 4, append)
        append(0x2D)
        write(Int64(date.month), 2, append)
        append(0x2D)
        write(Int64(date.day), 2, append)
        append(0x54)
        write(ofDay / 3600, 2, append)
        append(0x3A)
        write(ofDay / 60 % 60, 2, append)
        append(0x3A)
        write(ofDay % 60, 2, append)
        if fractionDigits > 0 {
            append(0x2E)
            write(fraction, fractionDigits, append)
        }
        append(0x5A)
    }

    private static func write(_ number: Int64, _ width: Int, _ append: (UInt8) -> Void) {
        var scale = powerOfTen(width - 1)
        while scale > 0 {
            append(0x30 + UInt8(number / scale % 10))
            scale /= 10
        }
    }

    private static func powerOfTen(_ exponent: Int) -> Int64 {
        var power: Int64 = 1
        for _ in 0..<exponent { power *= 10 }
        return power
    }

    /// The remainder is not negative. Neither overflows, at the ends of 64 bits either.
    private static func floorDivision(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
