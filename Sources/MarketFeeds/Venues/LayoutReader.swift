import MarketModel
import StreamCore

/// Reads a message whose layout is known beforehand: this text, then a value, then that text. A venue's trades differ
/// in their values only. Reading them by comparison takes a third of the time that reading them as any JSON takes.
/// Every method says whether the message went on as expected; the first `false` or `nil` ends the attempt, and the
/// message is read as any JSON from its start. So a layout can only save time, never change a result.
struct LayoutReader {
    private let base: UnsafeRawPointer
    private let count: Int
    private var at = 0

    init?(_ bytes: Bytes) {
        guard let base = bytes.baseAddress else { return nil }
        self.base = base
        count = bytes.count
    }

    var isAtEnd: Bool { at == count }
    private var all: Bytes { UnsafeRawBufferPointer(start: base, count: count) }
    private var rest: Bytes { UnsafeRawBufferPointer(start: base + at, count: count &- at) }

    /// Reads exactly this text.
    @inline(__always)
    mutating func match(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard at &+ length <= count else { return false }
        guard Self.isSame(base + at, UnsafeRawPointer(text.utf8Start), length) else { return false }
        at &+= length
        return true
    }

    /// Reads exactly these bytes.
    @inline(__always)
    mutating func match(_ text: Bytes) -> Bool {
        let length = text.count
        guard at &+ length <= count, let other = text.baseAddress else { return length == 0 }
        guard Self.isSame(base + at, other, length) else { return false }
        at &+= length
        return true
    }

    @inline(__always)
    private static func isSame(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ length: Int) -> Bool {
        if length >= 8 {
            var compared = 0
            while compared &+ 8 <= length {
                guard isSame(UInt64.self, one, other, compared) else { return false }
                compared &+= 8
            }
            // The last word again, as far as it was not compared.
            return isSame(UInt64.self, one, other, length &- 8)
        }
        if length >= 4 { return isSame(UInt32.self, one, other, 0) && isSame(UInt32.self, one, other, length &- 4) }
        for index in 0..<length where !isSame(UInt8.self, one, other, index) { return false }
        return true
    }

    @inline(__always)
    private static func isSame<Word: FixedWidthInteger & BitwiseCopyable>(
        _: Word.Type, _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ offset: Int
    ) -> Bool {
        one.loadUnaligned(fromByteOffset: offset, as: Word.self)
            == other.loadUnaligned(fromByteOffset: offset, as: Word.self)
    }

    /// Reads a string's inside and its closing quote; a string with escapes is not expected.
    @inline(__always)
    mutating func string() -> VenueText? {
        let start = at
        guard skipString() else { return nil }
        return VenueText(start: start, count: at &- start &- 1)
    }

    /// Reads a string's inside, and leaves its closing quote.
    @inline(__always)
    mutating func stringInside() -> VenueText? {
        guard let text = string() else { return nil }
        at &-= 1
        return text
    }

    /// Eight bytes at a time until one is a quote, a backslash or a control character, as `JSONScanner` does it.
    @inline(__always)
    mutating func skipString() -> Bool {
        while at &+ 8 <= count {
            let word = UInt64(littleEndian: (base + at).loadUnaligned(as: UInt64.self))
            let quote = word ^ 0x2222_2222_2222_2222
            let slash = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let ones: UInt64 = 0x0101_0101_0101_0101
            let found =
                ((quote &- ones) & ~quote | (slash &- ones) & ~slash | (word &- 0x2020_2020_2020_2020) & ~word)
                & 0x8080_8080_8080_8080
            guard found == 0 else {
                // The lowest bit is exact: borrows only spoil the bytes above a real hit.
                at &+= found.trailingZeroBitCount >> 3
                break
            }
            at &+= 8
        }
        while at < count {
            let byte = base.load(fromByteOffset: at, as: UInt8.self)
            if byte == 0x22 {
                at &+= 1
                return true
            }
            guard byte >= 0x20, byte != 0x5C else { return false }
            at &+= 1
        }
        return false
    }

    /// Reads a whole number of 1 to 18 digits.
    @inline(__always)
    mutating func unsigned() -> (value: UInt64, text: VenueText)? {
        if let (value, length) = DecimalParser.usualWhole(all, at: at) {
            let text = VenueText(start: at, count: length)
            at &+= length
            return (value, text)
        }
        return longUnsigned()
    }

    @inline(never)
    private mutating func longUnsigned() -> (value: UInt64, text: VenueText)? {
        guard let (value, length) = DecimalParser.wholeNumber(rest) else { return nil }
        let text = VenueText(start: at, count: length)
        at &+= length
        return (UInt64(truncatingIfNeeded: value), text)
    }

    /// Reads a number as it stands; whole ones, the usual case, need not be computed.
    @inline(__always)
    mutating func number() -> VenueText? {
        let start = at
        var end = at
        while end < count, base.load(fromByteOffset: end, as: UInt8.self) &- 0x30 < 10 { end &+= 1 }
        if end > start, end < count, base.load(fromByteOffset: start, as: UInt8.self) != 0x30 {
            let next = base.load(fromByteOffset: end, as: UInt8.self)
            if next == 0x2C || next == 0x7D || next == 0x5D {
                at = end
                return VenueText(start: start, count: end &- start)
            }
        }
        return decimal()?.text
    }

    /// Reads a decimal.
    @inline(__always)
    mutating func decimal() -> VenueDecimal? {
        if let (value, length, decimals) = DecimalParser.usual(all, at: at) {
            let text = VenueText(start: at, count: length)
            at &+= length
            return VenueDecimal(value: value, text: text, decimals: decimals)
        }
        return unusualDecimal()
    }

    @inline(never)
    private mutating func unusualDecimal() -> VenueDecimal? {
        guard let (value, length, fractionDigits) = DecimalParser.parseFraction(rest) else { return nil }
        let digits = UnsafeRawBufferPointer(start: base + at, count: length)
        let text = VenueText(start: at, count: length)
        at &+= length
        return VenueDecimal(
            value: value, text: text, decimals: VenueDecimal.decimals(of: digits, fractionDigits: fractionDigits))
    }

    /// Reads a decimal and the quote that ends it.
    @inline(__always)
    mutating func quotedDecimal() -> VenueDecimal? {
        guard let value = decimal(), match("\"") else { return nil }
        return value
    }

    /// Reads a time like `2021-04-17T16:43:37.121358Z` and the quote that ends it.
    @inline(__always)
    mutating func quotedTime() -> Double? {
        let start = at
        guard skipString() else { return nil }
        return RFC3339.seconds(UnsafeRawBufferPointer(start: base + start, count: at &- start &- 1))
    }

    @inline(__always)
    mutating func bool() -> Bool? {
        if match("true") { return true }
        return match("false") ? false : nil
    }

    /// Reads `true` or `false` as it stands.
    @inline(__always)
    mutating func boolText() -> VenueText? {
        let start = at
        return bool() == nil ? nil : VenueText(start: start, count: at &- start)
    }

    /// Reads one of two texts, with the quotes that end them.
    @inline(__always)
    mutating func side(_ buy: StaticString = "buy\"", _ sell: StaticString = "sell\"") -> VenueTrade.Side? {
        if match(buy) { return .buy }
        return match(sell) ? .sell : nil
    }

    /// Reads trades separated by commas, then `end`, with which the message ends.
    /// - Returns: whether it is laid out so; otherwise the batch is empty.
    @inline(__always)
    mutating func trades(
        into batch: inout VenueBatch, until end: StaticString, _ trade: (inout LayoutReader) -> VenueTrade?
    ) -> Bool {
        repeat {
            guard let trade = trade(&self) else {
                batch.trades.removeAll(keepingCapacity: true)
                return false
            }
            batch.trades.append(trade)
        } while match(",")
        guard match(end), isAtEnd else {
            batch.trades.removeAll(keepingCapacity: true)
            return false
        }
        return true
    }
}
