/// Where JSON bytes go: an array, or a network buffer of the floor above.
public protocol ByteSink {
    mutating func append(_ byte: UInt8)
    mutating func append(_ bytes: UnsafeRawBufferPointer)
}

extension [UInt8]: ByteSink {
    public mutating func append(_ bytes: UnsafeRawBufferPointer) { append(contentsOf: bytes) }
}

extension ByteSink {
    /// Text that is JSON already: braces, keys with their quotes.
    @inlinable public mutating func json(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// A string value with its quotes, escaped as RFC 8259, section 7, demands.
    public mutating func string(_ text: String) { quoted(text.utf8) }

    /// A part of a string likewise, without a copy of it.
    public mutating func string(_ text: Substring) { quoted(text.utf8) }

    private mutating func quoted(_ text: some Collection<UInt8>) {
        if text.withContiguousStorageIfAvailable({ string(utf8: UnsafeRawBufferPointer($0)) }) == nil {
            append(UInt8(ascii: "\""))
            for byte in text { escaped(byte) }
            append(UInt8(ascii: "\""))
        }
    }

    /// A string value given as its UTF-8.
    package mutating func string(utf8 text: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        escaped(text)
        append(UInt8(ascii: "\""))
    }

    /// Appends what needs no escape in one piece: most texts have none.
    private mutating func escaped(_ text: UnsafeRawBufferPointer) {
        var start = 0
        for at in 0..<text.count where Self.needsEscape(text[at]) {
            append(UnsafeRawBufferPointer(rebasing: text[start..<at]))
            escaped(text[at])
            start = at + 1
        }
        append(UnsafeRawBufferPointer(rebasing: text[start...]))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            append(UInt8(ascii: "\\"))
            append(byte)
        case 0x0A: json("\\n")
        case 0x0D: json("\\r")
        case 0x09: json("\\t")
        case 0..<0x20:
            json("\\u00")
            append(byte >> 4 + 0x30)
            let low = byte & 0xF
            append(low < 10 ? low + 0x30 : low - 10 + 0x61)
        default: append(byte)
        }
    }

    @inlinable public mutating func bool(_ value: Bool) { json(value ? "true" : "false") }

    /// A whole number.
    @inlinable public mutating func integer(_ value: some FixedWidthInteger & SignedInteger) {
        if value < 0 { append(UInt8(ascii: "-")) }
        digits(UInt64(value.magnitude), fractionDigits: 0)
    }

    /// The shortest decimal that reads back as the same double; `null` for NaN and infinities, which JSON lacks.
    ///
    /// Prices, quantities and microsecond timestamps have few decimals: the smallest number of decimals that reads back
    /// is looked for first, at one division each. Other values go through the standard library.
    @inlinable public mutating func number(_ value: Double) {
        let magnitude = value.magnitude
        guard magnitude < 9_007_199_254_740_992 else { return unusualNumber(value) }
        if value < 0 { append(UInt8(ascii: "-")) }
        let whole = magnitude.rounded(.towardZero)
        if whole == magnitude { return digits(UInt64(whole), fractionDigits: 0) }
        var power = 10.0
        var fractionDigits = 1
        while fractionDigits <= 10 {
            let scaled = (magnitude * power).rounded()
            guard scaled < 9_007_199_254_740_992 else { break }
            if scaled / power == magnitude { return digits(UInt64(scaled), fractionDigits: fractionDigits) }
            power *= 10
            fractionDigits += 1
        }
        unusualNumber(magnitude)
    }

    @usableFromInline mutating func unusualNumber(_ value: Double) {
        guard value.isFinite else { return json("null") }
        for byte in value.description.utf8 { append(byte) }
    }

    // A key with what stands before it, and its value: `sink.string(",\"symbol\":", symbol)`.

    @inlinable public mutating func string(_ key: StaticString, _ value: String) {
        json(key)
        string(value)
    }

    @inlinable public mutating func bool(_ key: StaticString, _ value: Bool) {
        json(key)
        bool(value)
    }

    @inlinable public mutating func integer(_ key: StaticString, _ value: some FixedWidthInteger & SignedInteger) {
        json(key)
        integer(value)
    }

    @inlinable public mutating func number(_ key: StaticString, _ value: Double) {
        json(key)
        number(value)
    }

    /// An array, each of its elements by `write`.
    @inlinable
    public mutating func list<Element>(_ elements: some Sequence<Element>, _ write: (inout Self, Element) -> Void) {
        json("[")
        var isFirst = true
        for element in elements {
            if !isFirst { json(",") }
            isFirst = false
            write(&self, element)
        }
        json("]")
    }

    /// `value / 10^fractionDigits`, written out.
    @inlinable mutating func digits(_ value: UInt64, fractionDigits: Int) {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { scratch in
            var rest = value
            var at = 32
            var written = 0
            repeat {
                if written == fractionDigits, fractionDigits > 0 {
                    at -= 1
                    scratch[at] = UInt8(ascii: ".")
                }
                at -= 1
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                scratch[at] = UInt8(truncatingIfNeeded: digit) + 0x30
                rest = quotient
                written += 1
            } while rest > 0 || written <= fractionDigits
            append(UnsafeRawBufferPointer(rebasing: scratch[at...]))
        }
    }
}
