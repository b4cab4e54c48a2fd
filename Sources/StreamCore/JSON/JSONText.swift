/// A string inside a JSON text, not copied: valid as long as the scanned bytes are.
public struct JSONText {
    /// The bytes between the quotes, escapes included.
    public let raw: UnsafeRawBufferPointer
    /// Whether `raw` holds a backslash.
    public let hasEscapes: Bool

    @inlinable public init(raw: UnsafeRawBufferPointer, hasEscapes: Bool) {
        self.raw = raw
        self.hasEscapes = hasEscapes
    }

    /// Whether the text, escapes resolved, is `other`.
    @inlinable @_optimize(speed)
    public func equals(_ other: StaticString) -> Bool {
        if hasEscapes { return equalsUnescaped(other) }
        let count = other.utf8CodeUnitCount
        guard raw.count == count else { return false }
        let bytes = UnsafeRawPointer(other.utf8Start)
        var at = 0
        while at < count {
            if raw[at] != bytes.load(fromByteOffset: at, as: UInt8.self) { return false }
            at += 1
        }
        return true
    }

    /// So that a name can be a case of a `switch` over keys. Most names differ in length, which needs no call.
    @inlinable @_transparent
    package static func ~= (name: StaticString, text: JSONText) -> Bool {
        (text.hasEscapes || text.raw.count == name.utf8CodeUnitCount) && text.equals(name)
    }

    @usableFromInline func equalsUnescaped(_ other: StaticString) -> Bool {
        var at = 0
        var same = true
        forEachByte { byte in
            same = same && at < other.utf8CodeUnitCount && other.utf8Start[at] == byte
            at += 1
        }
        return same && at == other.utf8CodeUnitCount
    }

    /// The bytes with escapes resolved (RFC 8259, section 7); a lone surrogate becomes U+FFFD.
    public func forEachByte(_ body: (UInt8) -> Void) {
        var at = 0
        while at < raw.count {
            let byte = raw[at]
            guard byte == UInt8(ascii: "\\"), at + 1 < raw.count else {
                body(byte)
                at += 1
                continue
            }
            let kind = raw[at + 1]
            at += 2
            switch kind {
            case UInt8(ascii: "b"): body(0x08)
            case UInt8(ascii: "f"): body(0x0C)
            case UInt8(ascii: "n"): body(0x0A)
            case UInt8(ascii: "r"): body(0x0D)
            case UInt8(ascii: "t"): body(0x09)
            case UInt8(ascii: "u"): emitScalar(at: &at, body)
            default: body(kind)
            }
        }
    }

    private func emitScalar(at: inout Int, _ body: (UInt8) -> Void) {
        var value = hexadecimal(at: at)
        at += 4
        if value & 0xFC00 == 0xD800, at + 5 < raw.count, raw[at] == UInt8(ascii: "\\"), raw[at + 1] == UInt8(ascii: "u")
        {
            let low = hexadecimal(at: at + 2)
            if low & 0xFC00 == 0xDC00 {
                value = 0x10000 + ((value & 0x3FF) << 10) + (low & 0x3FF)
                at += 6
            }
        }
        for byte in (Unicode.Scalar(value) ?? "\u{FFFD}").utf8 { body(byte) }
    }

    /// Four hexadecimal digits; the scanner has checked them.
    private func hexadecimal(at start: Int) -> UInt32 {
        var value: UInt32 = 0
        for at in start..<min(start + 4, raw.count) {
            // Of a letter the lowest four bits are 1 to 6.
            let digit = raw[at] & 0xF + (raw[at] >= 0x40 ? 9 : 0)
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// The text as a string; ill-formed UTF-8 is repaired.
    public var string: String {
        if !hasEscapes { return String(utf8: raw) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        forEachByte { bytes.append($0) }
        return bytes.withUnsafeBytes { String(utf8: $0) }
    }
}

extension String {
    /// Ill-formed UTF-8 is repaired. One function and not the library's code at each of its uses, which counts in the
    /// page's module.
    @inline(never)
    package init(utf8 bytes: UnsafeRawBufferPointer) { self = String(decoding: bytes, as: UTF8.self) }
}
