import MarketModel
import StreamCore

/// A JSON scanner with what venues' messages need besides: pieces by their place, decimals as written, large numbers.
struct VenueScanner {
    var json: JSONScanner
    let base: UnsafeRawPointer

    init(_ bytes: Bytes) {
        json = JSONScanner(bytes)
        // Empty input has no address; the scanner reads nothing of it.
        base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
    }

    @inline(__always)
    mutating func text() throws(JSONError) -> VenueText { VenueText(try json.string(), from: base) }

    /// A number, with or without quotes.
    @inline(__always)
    mutating func decimal() throws(JSONError) -> VenueDecimal {
        let (value, raw) = try json.decimalText()
        return VenueDecimal(value: value, text: VenueText(raw, from: base), decimals: VenueDecimal.decimals(of: raw))
    }

    /// A whole number from 0 to 2^64 - 1, with or without quotes: some venues' numbers exceed `Int64`.
    mutating func unsigned() throws(JSONError) -> (value: UInt64, text: VenueText) {
        let offset = json.offset
        let raw: Bytes
        if try json.kind() == .string {
            raw = try json.string().raw
        } else {
            guard try json.kind() == .number else { throw JSONError(.wrongType, at: offset) }
            raw = try json.rawValue()
        }
        guard let value = Self.unsigned(raw) else { throw JSONError(.wrongType, at: offset) }
        return (value, VenueText(raw, from: base))
    }

    /// The number that these bytes are, in any form that JSON has for it.
    static func unsigned(_ raw: Bytes) -> UInt64? {
        guard let first = raw.first, raw.count <= 20 || first == 0x30 else { return nil }
        var value: UInt64 = 0
        for byte in raw {
            let digit = byte &- 0x30
            guard digit < 10 else {
                // 3.0 and 3e0 are whole, too, as long as a double holds them exactly.
                guard let number = DecimalParser.parseWhole(raw), number <= 9_007_199_254_740_992 else { return nil }
                return UInt64(exactly: number)
            }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(UInt64(digit))
            if isTooLarge || overflows { return nil }
            value = sum
        }
        return value
    }

    /// A time like `2021-04-17T16:43:37.121358Z`, as seconds since 1970 UTC.
    @inline(__always)
    mutating func time() throws(JSONError) -> Double {
        let offset = json.offset
        guard let seconds = RFC3339.seconds(try json.string().raw) else { throw JSONError(.wrongType, at: offset) }
        return seconds
    }

    /// Whether the next value is of this kind; otherwise it is skipped, for other messages use the key for other things.
    @inline(__always)
    mutating func isNext(_ kind: JSONScanner.Kind) throws(JSONError) -> Bool {
        if try json.kind() == kind { return true }
        try json.skipValue()
        return false
    }

    /// Walks over the members of the message, which must be an object and nothing else.
    @inline(__always)
    mutating func eachMember(_ body: (JSONText, inout VenueScanner) throws(JSONError) -> Void) throws(ParseError) {
        do throws(JSONError) {
            try members(body)
            try json.end()
        } catch { throw .json(error) }
    }

    /// Walks over the members of an object.
    @inline(__always)
    mutating func members(_ body: (JSONText, inout VenueScanner) throws(JSONError) -> Void) throws(JSONError) {
        try json.beginObject()
        while let key = try json.nextKey() { try body(key, &self) }
    }

    /// Where the next value starts, if it is of this kind, to be read once the rest of the message says what it is.
    @inline(__always)
    mutating func skip(_ kind: JSONScanner.Kind) throws(JSONError) -> JSONScanner? {
        let place = try json.kind() == kind ? json : nil
        try json.skipValue()
        return place
    }

    /// Walks over the elements of an array that was skipped.
    @inline(__always)
    mutating func eachElement(
        of array: JSONScanner, _ body: (inout VenueScanner) throws(ParseError) -> Void
    ) throws(ParseError) {
        json = array
        do throws(JSONError) { try json.beginArray() } catch { throw .json(error) }
        while true {
            do throws(JSONError) { if try !json.nextElement() { return } } catch { throw .json(error) }
            try body(&self)
        }
    }

    /// Goes to the next element of an array, which must have one.
    mutating func element() throws(JSONError) {
        guard try json.nextElement() else { throw JSONError(.wrongType, at: json.offset) }
    }

    /// The next element of an array, a number with or without quotes.
    mutating func figure() throws(JSONError) -> Double {
        try element()
        return try json.decimalString()
    }

    /// `buy` or `sell`, in any of the spellings of the venues; anything else is unknown.
    @inline(__always)
    mutating func side() throws(JSONError) -> VenueTrade.Side { VenueTrade.Side(try json.string()) }
}

extension JSONText {
    /// Whether the text, as it stands, begins with this; escapes are not resolved.
    func starts(_ prefix: StaticString) -> Bool {
        guard raw.count >= prefix.utf8CodeUnitCount else { return false }
        for at in 0..<prefix.utf8CodeUnitCount where raw[at] != prefix.utf8Start[at] { return false }
        return true
    }
}
