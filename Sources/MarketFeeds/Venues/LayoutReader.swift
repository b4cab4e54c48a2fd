import StreamCore

/// Reads a message whose layout is foretold: this text, then a value, then that text.
///
/// A venue's trades differ in their values only. Reading them by comparison takes a third of the time that reading them
/// as any JSON takes. Every method says whether the message went on as foretold; the first `false` or `nil` ends the
/// attempt, and the message is read as any JSON from its start. So a layout can only save time, never change a result.
struct LayoutReader {
    private let base: UnsafeRawPointer
    private let count: Int
    private var at = 0

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return nil }
        self.base = base
        count = bytes.count
    }

    var isAtEnd: Bool { at == count }

    private var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base + at, count: count &- at) }

    /// Takes exactly this text.
    @inline(__always)
    mutating func take(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard at &+ length <= count else { return false }
        let other = UnsafeRawPointer(text.utf8Start)
        var compared = 0
        while compared &+ 8 <= length {
            guard
                (base + at).loadUnaligned(fromByteOffset: compared, as: UInt64.self)
                    == other.loadUnaligned(fromByteOffset: compared, as: UInt64.self)
            else { return false }
            compared &+= 8
        }
        while compared < length {
            guard
                (base + at).load(fromByteOffset: compared, as: UInt8.self)
                    == other.load(fromByteOffset: compared, as: UInt8.self)
            else { return false }
            compared &+= 1
        }
        at &+= length
        return true
    }

    /// Takes a string's inside and its closing quote; strings with escapes are not foretold.
    @inline(__always)
    mutating func stringBody() -> UnsafeRawBufferPointer? {
        let start = at
        while at < count {
            let byte = base.load(fromByteOffset: at, as: UInt8.self)
            if byte == 0x22 {
                at &+= 1
                return UnsafeRawBufferPointer(start: base + start, count: at &- start &- 1)
            }
            guard byte >= 0x20, byte != 0x5C else { return nil }
            at &+= 1
        }
        return nil
    }

    /// Takes a whole number of 1 to 18 digits.
    @inline(__always)
    mutating func wholeNumber() -> Int? {
        guard let (value, length) = DecimalParser.wholeNumber(rest) else { return nil }
        at &+= length
        return value
    }

    /// Takes a decimal and the quote that ends it.
    @inline(__always)
    mutating func quotedDecimal() -> VenueDecimal? {
        guard let (value, length) = DecimalParser.parse(rest), at &+ length < count,
            base.load(fromByteOffset: at &+ length, as: UInt8.self) == 0x22
        else { return nil }
        let text = UnsafeRawBufferPointer(start: base + at, count: length)
        at &+= length &+ 1
        return VenueDecimal(value: value, decimals: VenueDecimal.decimals(of: text))
    }

    @inline(__always)
    mutating func bool() -> Bool { take("true") || take("false") }
}
