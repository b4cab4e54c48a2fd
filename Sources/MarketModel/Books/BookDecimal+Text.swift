extension BookDecimal: CustomStringConvertible {
    /// As it was written.
    public var description: String {
        var text: [UInt8] = []
        forEachByte { text.append($0) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The digits of a whole number, the last one in the lowest four bits: up to 16 in one word, the others in the next.
    private struct Digits {
        var low: UInt64 = 0
        var high: UInt64 = 0
        var count = 0

        init(_ number: UInt64) {
            var rest = number
            while rest > 0 {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                if count < 16 {
                    low |= digit &<< UInt64(4 &* count)
                } else {
                    high |= digit &<< UInt64(4 &* (count &- 16))
                }
                count &+= 1
                rest = quotient
            }
        }

        /// The digit with this many behind it; zero beyond the number, and behind it.
        subscript(_ place: Int) -> UInt8 {
            guard place >= 0, place < count else { return 0x30 }
            let word = place < 16 ? low &>> UInt64(4 &* place) : high &>> UInt64(4 &* (place &- 16))
            return 0x30 | UInt8(truncatingIfNeeded: word & 15)
        }
    }

    /// Calls `body` with each byte of the number as it was written. Allocates nothing.
    func forEachByte(_ body: (UInt8) -> Void) {
        let digits = Digits(units.magnitude)
        if units < 0 { body(UInt8(ascii: "-")) }
        guard !form.isExponential else { return forEachExponentialByte(digits, body) }
        // Zeros behind the digits that count, where more were written.
        let zeros = form.decimals - Int(decimals)
        var place = max(digits.count, Int(decimals) + 1) - 1
        while place >= -zeros {
            if place == Int(decimals) - 1 { body(UInt8(ascii: ".")) }
            body(digits[place])
            place -= 1
        }
    }

    /// As JavaScript writes small numbers, which is where they come from: `1.1e-7`, `2e-8`.
    private func forEachExponentialByte(_ digits: Digits, _ body: (UInt8) -> Void) {
        guard digits.count > 0 else { return body(0x30) }
        var last = 0
        while digits[last] == 0x30 { last += 1 }
        body(digits[digits.count - 1])
        if last < digits.count - 1 { body(UInt8(ascii: ".")) }
        for place in stride(from: digits.count - 2, through: last, by: -1) { body(digits[place]) }
        let exponent = digits.count - 1 - Int(decimals)
        body(UInt8(ascii: "e"))
        body(exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        if exponent.magnitude >= 10 { body(0x30 | UInt8(exponent.magnitude / 10)) }
        body(0x30 | UInt8(exponent.magnitude % 10))
    }

    /// Calls `body` with each digit as it was written, without the point and without zeros before the first other digit.
    func forEachSignificantDigit(_ body: (UInt8) -> Void) {
        let digits = Digits(units.magnitude)
        guard digits.count > 0 else { return }
        let zeros = form.isExponential ? 0 : form.decimals - Int(decimals)
        for place in stride(from: digits.count - 1, through: -zeros, by: -1) { body(digits[place]) }
    }
}
