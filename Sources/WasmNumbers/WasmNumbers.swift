// Decimals that are read and written exactly, by whole numbers of any size: the library's tables and the C library's
// reader would be a fortieth of the module, and what comes here is rare (`DecimalParser` and `ByteSink.number`
// know the usual decimals themselves).

/// A whole number by words of 32 bits, the lowest first and the highest not zero.
private struct Whole {
    var words: [UInt32] = []

    init(_ value: UInt64) { self.add(value, times: 1) }

    var bits: Int { words.count * 32 - (words.last ?? 0).leadingZeroBitCount }

    /// Multiplies by `factor` and adds `value`.
    @inline(never)
    mutating func add(_ value: UInt64, times factor: UInt32) {
        var carry = value
        for at in words.indices {
            let (sum, isOver) = (UInt64(words[at]) * UInt64(factor)).addingReportingOverflow(carry)
            words[at] = UInt32(truncatingIfNeeded: sum)
            carry = sum >> 32 | (isOver ? 1 << 32 : 0)
        }
        while carry > 0 {
            words.append(UInt32(truncatingIfNeeded: carry))
            carry >>= 32
        }
    }

    @inline(never)
    mutating func shift(_ bits: Int) {
        for _ in 0..<bits % 32 { add(0, times: 2) }
        if !words.isEmpty { words = Array(repeating: 0, count: bits / 32) + words }
    }

    /// Below 0 where it is less than `other`, 0 where it is the same.
    @inline(never)
    func compare(_ other: Whole) -> Int {
        if words.count != other.words.count { return words.count - other.words.count }
        for at in words.indices.reversed() where words[at] != other.words[at] {
            return words[at] < other.words[at] ? -1 : 1
        }
        return 0
    }

    /// Adds `other`, or subtracts it, which is not more.
    @inline(never)
    mutating func combine(_ other: Whole, isAdded: Bool) {
        var carry: Int64 = 0
        for at in 0..<max(words.count, other.words.count) {
            if at == words.count { words.append(0) }
            let word = at < other.words.count ? Int64(other.words[at]) : 0
            carry += Int64(words[at]) + (isAdded ? word : -word)
            words[at] = UInt32(truncatingIfNeeded: carry)
            carry >>= 32
        }
        if carry > 0 { words.append(UInt32(carry)) }
        while words.last == 0 { words.removeLast() }
    }
}

/// `Swift.Double.init?(_: Substring)`, as which `Double(_: String)` reads all of its text: a decimal, correctly
/// rounded. Other forms, `0x` and `nan`, are not read.
@_silgen_name("$eSdySdSgSscfC")
public func readDouble(_ text: __owned Substring) -> Double? {
    text.base.utf8.withContiguousStorageIfAvailable { readDouble($0) } ?? nil
}

private func readDouble(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    var at = 0
    var value = Whole(0)
    var (digits, exponent, hasDigits, hasPoint) = (0, 0, false, false)
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative || text.first == UInt8(ascii: "+") { at = 1 }
    while at < text.count {
        let digit = text[at] &- 0x30
        if digit < 10 {
            hasDigits = true
            value.add(UInt64(digit), times: 10)
            if !value.words.isEmpty { digits += 1 }
            if hasPoint { exponent -= 1 }
        } else if text[at] == UInt8(ascii: "."), !hasPoint {
            hasPoint = true
        } else {
            break
        }
        at += 1
    }
    guard hasDigits else { return nil }
    if at < text.count {
        guard text[at] | 0x20 == UInt8(ascii: "e"), at + 1 < text.count else { return nil }
        at += 1
        let isDivided = text[at] == UInt8(ascii: "-")
        if isDivided || text[at] == UInt8(ascii: "+") { at += 1 }
        guard at < text.count else { return nil }
        var power = 0
        while at < text.count {
            let digit = text[at] &- 0x30
            guard digit < 10 else { return nil }
            power = min(power * 10 + Int(digit), 1 << 20)
            at += 1
        }
        exponent += isDivided ? -power : power
    }
    let magnitude = nearest(value, exponent, digits)
    return isNegative ? -magnitude : magnitude
}

/// The double nearest to `value * 10^exponent`, of two the even one.
private func nearest(_ value: Whole, _ exponent: Int, _ digits: Int) -> Double {
    if value.words.isEmpty || digits + exponent < -330 { return 0 }
    if digits + exponent > 310 { return .infinity }
    var (rest, divisor) = (value, Whole(1))
    for _ in 0..<exponent.magnitude {
        if exponent > 0 { rest.add(0, times: 10) } else { divisor.add(0, times: 10) }
    }
    // A quotient of 55 or 56 bits, of `2^-shift` each.
    let shift = 55 - rest.bits + divisor.bits
    rest.shift(max(0, shift))
    divisor.shift(max(0, -shift) + 56)
    var quotient: UInt64 = 0
    for _ in 0...56 {
        quotient <<= 1
        if rest.compare(divisor) >= 0 {
            rest.combine(divisor, isAdded: false)
            quotient |= 1
        }
        rest.add(0, times: 2)
    }
    // Fewer bits where the smallest doubles have no more.
    let dropped = max(11 - quotient.leadingZeroBitCount, shift - 1074)
    if dropped > 60 { return 0 }
    let half: UInt64 = 1 << UInt64(dropped - 1)
    let (kept, low) = (quotient >> UInt64(dropped), quotient & (2 * half - 1))
    let isUp = low > half || low == half && (!rest.words.isEmpty || kept & 1 == 1)
    // In two steps, since 2^-1074 is no normal number.
    let unit = dropped - shift
    return scaled(scaled(Double(kept + (isUp ? 1 : 0)), unit / 2), unit - unit / 2)
}

/// `value * 2^exponent`, for exponents of -1022 to 1023.
private func scaled(_ value: Double, _ exponent: Int) -> Double {
    value * Double(bitPattern: UInt64(1023 + exponent) << 52)
}

/// `Swift.Double.description`: the fewest digits that read back as the same number, the nearest of those
/// (Steele and White 1990, Dragon4).
@_silgen_name("$eSd11descriptionSSvg")
public func describe(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
    var (digits, point) = shortest(value.magnitude)
    var text: [UInt8] = value.sign == .minus ? [UInt8(ascii: "-")] : []
    if point < -3 || value.magnitude > 0x1p53 {
        text.append(digits.removeFirst())
        if !digits.isEmpty { text.append(UInt8(ascii: ".")) }
        text += digits
        let exponent = point - 1
        text += [UInt8(ascii: "e"), UInt8(ascii: exponent < 0 ? "-" : "+")]
        if abs(exponent) >= 100 { text.append(UInt8(abs(exponent) / 100) + 0x30) }
        text += [UInt8(abs(exponent) / 10 % 10) + 0x30, UInt8(abs(exponent) % 10) + 0x30]
    } else {
        let zero = UInt8(ascii: "0")
        if point <= 0 { digits = Array(repeating: zero, count: 1 - point) + digits }
        while digits.count <= max(point, 1) { digits.append(zero) }
        digits.insert(UInt8(ascii: "."), at: max(point, 1))
        text += digits
    }
    return String(decoding: text, as: UTF8.self)
}

/// The digits of `0.ddd * 10^point`.
private func shortest(_ value: Double) -> (digits: [UInt8], point: Int) {
    guard value > 0 else { return ([UInt8(ascii: "0")], 1) }
    let isNormal = value.exponentBitPattern > 0
    let fraction = value.significandBitPattern | (isNormal ? 1 << 52 : 0)
    let exponent = max(1, Int(value.exponentBitPattern)) - 1075
    // The space below a power of two is half of that above.
    let isEdge = value.significandBitPattern == 0 && value.exponentBitPattern > 1
    let isEven = fraction & 1 == 0
    var (rest, divisor, above, below) = (Whole(fraction), Whole(1), Whole(1), Whole(1))
    rest.shift(max(0, exponent) + (isEdge ? 2 : 1))
    divisor.shift(max(0, -exponent) + (isEdge ? 2 : 1))
    above.shift(max(0, exponent) + (isEdge ? 1 : 0))
    below.shift(max(0, exponent))
    func isBeyond(_ factor: UInt32) -> Bool {
        var sum = rest
        sum.combine(above, isAdded: true)
        sum.add(0, times: factor)
        let order = sum.compare(divisor)
        return order > 0 || order == 0 && isEven
    }
    var point = 0
    while isBeyond(1) {
        divisor.add(0, times: 10)
        point += 1
    }
    func grow() {
        rest.add(0, times: 10)
        above.add(0, times: 10)
        below.add(0, times: 10)
    }
    while !isBeyond(10) {
        grow()
        point -= 1
    }
    var digits: [UInt8] = []
    while true {
        grow()
        var digit: UInt8 = 0x30
        while rest.compare(divisor) >= 0 {
            rest.combine(divisor, isAdded: false)
            digit += 1
        }
        let order = rest.compare(below)
        let (isLow, isHigh) = (order < 0 || order == 0 && isEven, isBeyond(1))
        if isLow || isHigh {
            rest.add(0, times: 2)
            let half = rest.compare(divisor)
            if isHigh, !isLow || half > 0 || half == 0 && digit & 1 == 1 { digit += 1 }
            return (digits + [digit], point)
        }
        digits.append(digit)
    }
}
