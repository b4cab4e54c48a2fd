extension ExactDecimal: LosslessStringConvertible {
    /// Plain (`-12.50`) or exponent (`1.25e-3`) notation in ASCII, no spaces, a digit on both sides of the point.
    /// - Returns: `nil` for anything else, for more than 16 decimals that are not zero, and outside ±10^22.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        guard let value = text.withUTF8({ ExactDecimal(utf8: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = value
    }

    /// Not generic: other modules would run it without specialisation.
    package init?(utf8: UnsafeRawBufferPointer) {
        var bytes = utf8.makeIterator()
        var next = bytes.next()
        let isNegative = next == UInt8(ascii: "-")
        if isNegative || next == UInt8(ascii: "+") { next = bytes.next() }

        var digits: Int128 = 0
        // Zeros are written into `digits` only when another digit follows: 1.50000… has as few decimals as 1.5.
        var zeros = 0
        var decimals = 0
        var (before, after) = (0, 0)
        var isFraction = false
        while let byte = next {
            if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
            } else if let digit = Self.digit(byte) {
                if isFraction { after += 1 } else { before += 1 }
                if isFraction { decimals += 1 }
                if digit == 0 {
                    zeros += 1
                } else {
                    if digits == 0 { zeros = 0 }
                    guard let grown = Self.times(digits, tenTo: zeros + 1) else { return nil }
                    let (sum, overflow) = grown.addingReportingOverflow(Int128(digit))
                    guard !overflow else { return nil }
                    digits = sum
                    zeros = 0
                }
            } else {
                break
            }
            next = bytes.next()
        }
        guard before > 0, !isFraction || after > 0 else { return nil }

        var exponent = 0
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            next = bytes.next()
            let isSmall = next == UInt8(ascii: "-")
            if isSmall || next == UInt8(ascii: "+") { next = bytes.next() }
            var count = 0
            while let byte = next, let digit = Self.digit(byte) {
                exponent = min(exponent * 10 + digit, 1_000_000)
                count += 1
                next = bytes.next()
            }
            guard count > 0 else { return nil }
            if isSmall { exponent = -exponent }
        }
        guard next == nil else { return nil }
        if digits == 0 {
            self = .zero
            return
        }
        let shift = zeros + exponent - decimals + Self.decimals
        guard shift >= 0, let units = Self.times(digits, tenTo: shift), units <= Self.limit else { return nil }
        self.init(trusted: isNegative ? -units : units)
    }

    /// The shortest plain notation: `111.725`, `-0.5`, `10000000000000000000000`.
    public var description: String { withText { String(decoding: $0, as: UTF8.self) } }

    /// The bytes of ``description``, without a string.
    package func withText<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        // A sign, 23 digits, a point and 16 more.
        withUnsafeTemporaryAllocation(byteCount: 48, alignment: 1) { scratch in
            var at = scratch.count
            func put(_ value: UInt64, atLeast count: Int = 1) {
                var (rest, left) = (value, count)
                while rest > 0 || left > 0 {
                    at -= 1
                    scratch[at] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                    left -= 1
                }
            }
            let (whole, fraction) = units.magnitude.quotientAndRemainder(dividingBy: Self.one.magnitude)
            if fraction > 0 {
                var (digits, count) = (UInt64(truncatingIfNeeded: fraction), Self.decimals)
                while digits.isMultiple(of: 10) { (digits, count) = (digits / 10, count - 1) }
                put(digits, atLeast: count)
                at -= 1
                scratch[at] = UInt8(ascii: ".")
            }
            if let word = UInt64(exactly: whole) {
                put(word)
            } else {
                let (above, below) = whole.quotientAndRemainder(dividingBy: Self.one.magnitude)
                put(UInt64(truncatingIfNeeded: below), atLeast: Self.decimals)
                put(UInt64(truncatingIfNeeded: above))
            }
            if units < 0 {
                at -= 1
                scratch[at] = UInt8(ascii: "-")
            }
            return body(UnsafeRawBufferPointer(rebasing: scratch[at...]))
        }
    }

    /// For people: the same with the whole digits in groups of three: `67,151.08`, `-1,000`.
    package var grouped: String { description.grouped }

    private static func digit(_ byte: UInt8) -> Int? {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? Int(byte - UInt8(ascii: "0")) : nil
    }

    /// `nil` where the product does not fit.
    private static func times(_ value: Int128, tenTo exponent: Int) -> Int128? {
        if value == 0 { return 0 }
        guard exponent <= 38 else { return nil }
        var result = value
        for _ in 0..<exponent {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            result = product
        }
        return result
    }
}

extension String {
    /// Of a decimal, with commas between thousands: `67,151.08`; any other text as it is.
    package var grouped: String {
        let digits = drop { $0 == "-" }.prefix { $0 != "." }
        guard digits.count > 3, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return self }
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return self[..<digits.startIndex] + text + self[digits.endIndex...]
    }
}
