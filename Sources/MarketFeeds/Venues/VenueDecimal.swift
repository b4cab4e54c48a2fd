/// A venue's number with the digits as it wrote them: `"61837.63000000"`, `1.1e-7`.
struct VenueDecimal {
    var value: Double
    var text: VenueText
    /// Digits after the point that count: trailing zeros left out, with the exponent applied.
    var decimals: Int

    /// Digits after the point of `text`, which must be a number.
    @inline(__always)
    static func decimals(of text: Bytes) -> Int {
        var end = text.count
        while end > 0, text[end - 1] == UInt8(ascii: "0") { end -= 1 }
        var at = end
        while at > 0, text[at - 1] != UInt8(ascii: ".") {
            if text[at - 1] | 0x20 == UInt8(ascii: "e") { return decimals(ofExponential: text, mark: at - 1) }
            at -= 1
        }
        return at == 0 ? 0 : end - at
    }

    /// The same where it is known how many digits are behind the point; -1: there is an exponent.
    @inline(__always)
    static func decimals(of text: Bytes, fractionDigits: Int) -> Int {
        guard fractionDigits >= 0 else { return decimals(of: text) }
        var count = fractionDigits
        var end = text.count
        while count > 0, text[end &- 1] == UInt8(ascii: "0") {
            count &-= 1
            end &-= 1
        }
        return count
    }

    /// `1.10e-7` has eight: those of its digits, and seven more.
    private static func decimals(ofExponential text: Bytes, mark: Int) -> Int {
        var digits = text[..<mark]
        if digits.contains(UInt8(ascii: ".")) {
            while digits.last == UInt8(ascii: "0") { digits = digits.dropLast() }
        }
        let fraction = digits.lastIndex(of: UInt8(ascii: ".")).map { digits.endIndex - $0 - 1 } ?? 0
        var exponent = 0
        // A double's exponent has three digits; what a hostile text writes there must not overflow.
        for byte in text[(mark + 1)...] where byte &- 0x30 < 10 { exponent = min(exponent * 10 + Int(byte & 15), 999) }
        let isNegative = mark + 1 < text.count && text[mark + 1] == UInt8(ascii: "-")
        return max(0, fraction + (isNegative ? exponent : -exponent))
    }
}
