/// Walks over a JSON text without building a tree: the caller reads what it expects.
///
/// ```swift
/// var scanner = JSONScanner(bytes)
/// try scanner.beginObject()
/// while let key = try scanner.nextKey() {
///     if key.equals("price") { price = try scanner.number() } else { try scanner.skipValue() }
/// }
/// try scanner.end()
/// ```
///
/// Keys may come in any order and with escapes; unknown ones are skipped. Nothing is copied or allocated. After an
/// error the scanner must not be used further.
@usableFromInline package struct JSONScanner {
    @usableFromInline let base: UnsafeRawPointer
    @usableFromInline let count: Int
    @usableFromInline var at = 0
    /// True between an opening brace or bracket and the first member.
    @usableFromInline var isFirst = false

    /// - Parameter bytes: UTF-8; must outlive the scanner and the texts it returns.
    @inlinable package init(_ bytes: UnsafeRawBufferPointer) {
        // An empty buffer may have no address; `count` then keeps this one from being read.
        base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!
        count = bytes.count
    }

    /// Byte offset of what comes next.
    @inlinable package var offset: Int { at }

    @inlinable @_transparent
    func byte(_ index: Int) -> UInt8 { base.load(fromByteOffset: index, as: UInt8.self) }

    @inlinable @_transparent
    mutating func skipSpace() {
        // Compact JSON, the usual case, has none.
        if at < count, byte(at) <= 0x20 { skipMoreSpace() }
    }

    @inlinable mutating func skipMoreSpace() {
        while at < count {
            let byte = byte(at)
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            at &+= 1
        }
    }

    @inlinable @_transparent
    mutating func expect(_ expected: UInt8) throws(JSONError) {
        skipSpace()
        guard at < count else { throw JSONError(.endOfInput, at: at) }
        guard byte(at) == expected else { throw JSONError(.unexpectedByte, at: at) }
        at += 1
    }

    // MARK: Structure

    /// What kind of value comes next.
    @usableFromInline package enum Kind: Sendable { case object, array, string, number, bool, null }

    /// Looks at the next value without consuming it.
    @inlinable @_transparent
    package mutating func kind() throws(JSONError) -> Kind {
        skipSpace()
        guard at < count else { throw JSONError(.endOfInput, at: at) }
        switch byte(at) {
        case 0x7B: return .object
        case 0x5B: return .array
        case 0x22: return .string
        case 0x74, 0x66: return .bool
        case 0x6E: return .null
        case 0x2D, 0x30...0x39: return .number
        default: throw JSONError(.unexpectedByte, at: at)
        }
    }

    @inlinable package mutating func beginObject() throws(JSONError) { try begin(.object) }
    @inlinable package mutating func beginArray() throws(JSONError) { try begin(.array) }

    @inlinable @_transparent
    mutating func begin(_ wanted: Kind) throws(JSONError) {
        guard try kind() == wanted else { throw JSONError(.wrongType, at: at) }
        at += 1
        isFirst = true
    }

    /// The next key, its value being next; `nil` after the closing brace.
    @inlinable @_transparent
    package mutating func nextKey() throws(JSONError) -> JSONText? {
        // Venues that count bytes use keys of one letter: `,"p":`
        if at &+ 5 <= count, !isFirst, byte(at) == 0x2C, byte(at &+ 1) == 0x22, byte(at &+ 3) == 0x22,
            byte(at &+ 4) == 0x3A, byte(at &+ 2) >= 0x20, byte(at &+ 2) != 0x22, byte(at &+ 2) != 0x5C
        {
            let key = UnsafeRawBufferPointer(start: base + (at &+ 2), count: 1)
            at &+= 5
            return JSONText(raw: key, hasEscapes: false)
        }
        return try nextUsualKey()
    }

    @inlinable mutating func nextUsualKey() throws(JSONError) -> JSONText? {
        guard try nextMember(closing: 0x7D) else { return nil }
        let key = try string()
        try expect(0x3A)
        return key
    }

    /// Whether another element follows, the element being next; false after the closing bracket.
    @inlinable package mutating func nextElement() throws(JSONError) -> Bool { try nextMember(closing: 0x5D) }

    @inlinable @_transparent
    mutating func nextMember(closing: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        guard at < count else { throw JSONError(.endOfInput, at: at) }
        let next = byte(at)
        if next == closing {
            at += 1
            isFirst = false
            return false
        }
        if isFirst {
            isFirst = false
            return true
        }
        guard next == 0x2C else { throw JSONError(.unexpectedByte, at: at) }
        at += 1
        // A closing mark here would be a trailing comma.
        skipSpace()
        guard at < count else { throw JSONError(.endOfInput, at: at) }
        guard byte(at) != closing else { throw JSONError(.unexpectedByte, at: at) }
        return true
    }

    /// Checks that nothing but white space follows.
    @inlinable package mutating func end() throws(JSONError) {
        skipSpace()
        guard at == count else { throw JSONError(.trailingBytes, at: at) }
    }

    // MARK: Values

    /// A string, not copied.
    @inlinable @_optimize(speed)
    package mutating func string() throws(JSONError) -> JSONText {
        skipSpace()
        guard at < count else { throw JSONError(.endOfInput, at: at) }
        guard byte(at) == 0x22 else { throw JSONError(.wrongType, at: at) }
        let start = at + 1
        at = start
        while true {
            // Eight bytes at a time until one is a quote, a backslash or a control character.
            while at + 8 <= count {
                let word = base.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                let quote = word ^ 0x2222_2222_2222_2222
                let slash = word ^ 0x5C5C_5C5C_5C5C_5C5C
                let ones: UInt64 = 0x0101_0101_0101_0101
                let highs: UInt64 = 0x8080_8080_8080_8080
                let found =
                    ((quote &- ones) & ~quote | (slash &- ones) & ~slash | (word &- 0x2020_2020_2020_2020) & ~word)
                    & highs
                // The lowest set bit is exact: borrows only spoil the bytes above a real hit.
                if found != 0 {
                    at += UInt64(littleEndian: found).trailingZeroBitCount >> 3
                    break
                }
                at += 8
            }
            guard at < count else { throw JSONError(.endOfInput, at: at) }
            let next = byte(at)
            if next == 0x22 {
                let text = UnsafeRawBufferPointer(start: base + start, count: at - start)
                at += 1
                return JSONText(raw: text, hasEscapes: false)
            }
            if next == 0x5C { return try stringWithEscapes(from: start) }
            if next < 0x20 { throw JSONError(.controlCharacter, at: at) }
            at += 1
        }
    }

    @usableFromInline mutating func stringWithEscapes(from start: Int) throws(JSONError) -> JSONText {
        while at < count {
            let next = byte(at)
            switch next {
            case 0x22:
                let text = UnsafeRawBufferPointer(start: base + start, count: at - start)
                at += 1
                return JSONText(raw: text, hasEscapes: true)
            case 0x5C:
                guard at + 1 < count else { throw JSONError(.endOfInput, at: at) }
                switch byte(at + 1) {
                case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: at += 2
                case 0x75:
                    guard at + 6 <= count else { throw JSONError(.endOfInput, at: count) }
                    for digit in at + 2..<at + 6 where !Self.isHexadecimal(byte(digit)) {
                        throw JSONError(.invalidEscape, at: digit)
                    }
                    at += 6
                default: throw JSONError(.invalidEscape, at: at)
                }
            case 0..<0x20: throw JSONError(.controlCharacter, at: at)
            default: at += 1
            }
        }
        throw JSONError(.endOfInput, at: at)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 }

    /// A number.
    @inlinable @_optimize(speed)
    package mutating func number() throws(JSONError) -> Double {
        skipSpace()
        guard at < count else { throw JSONError(.endOfInput, at: at) }
        let first = byte(at)
        guard first == 0x2D || first &- 0x30 < 10 else { throw JSONError(.wrongType, at: at) }
        guard let (value, length) = DecimalParser.parse(UnsafeRawBufferPointer(start: base + at, count: count - at))
        else { throw JSONError(.invalidNumber, at: at) }
        at += length
        return value
    }

    /// Skips a number: plain whole numbers by their digits, others by reading them.
    @inlinable mutating func skipNumber() throws(JSONError) {
        var end = at
        while end < count, byte(end) &- 0x30 < 10 { end &+= 1 }
        if end > at, end < count, byte(at) != 0x30 {
            let next = byte(end)
            if next == 0x2C || next == 0x7D || next == 0x5D {
                at = end
                return
            }
        }
        _ = try number()
    }

    /// A whole number within ±2^53, and within `Int` where that has 32 bits, in any JSON form (`3`, `3.0`, `3e0`).
    @inlinable package mutating func integer() throws(JSONError) -> Int {
        skipSpace()
        let start = at
        guard let whole = Int(exactly: try integer64()) else { throw JSONError(.wrongType, at: start) }
        return whole
    }

    /// A whole number within ±2^53 on every machine: a stream that runs for weeks passes what 32 bits hold.
    @inlinable package mutating func integer64() throws(JSONError) -> Int64 {
        skipSpace()
        let start = at
        let value = try number()
        guard value.magnitude <= 9_007_199_254_740_992, let whole = Int64(exactly: value) else {
            throw JSONError(.wrongType, at: start)
        }
        return whole
    }

    /// A number that the venue writes as a string (`"0.791"`), or plainly, in one pass.
    @inlinable @_transparent
    package mutating func decimalString() throws(JSONError) -> Double {
        skipSpace()
        guard at < count else { throw JSONError(.endOfInput, at: at) }
        guard byte(at) == 0x22 else { return try number() }
        let start = at &+ 1
        guard
            let (value, length) = DecimalParser.parse(
                UnsafeRawBufferPointer(start: base + start, count: count &- start)),
            start &+ length < count, byte(start &+ length) == 0x22
        else { throw JSONError(.invalidNumber, at: at) }
        at = start &+ length &+ 1
        return value
    }

    /// The same with the digits as they stand, for those who count decimals.
    @inlinable @_transparent
    package mutating func decimalText() throws(JSONError) -> (value: Double, raw: UnsafeRawBufferPointer) {
        skipSpace()
        let isQuoted = at < count && byte(at) == 0x22
        let start = isQuoted ? at &+ 1 : at
        let value = try decimalString()
        return (value, UnsafeRawBufferPointer(start: base + start, count: at &- start &- (isQuoted ? 1 : 0)))
    }

    @inlinable package mutating func bool() throws(JSONError) -> Bool {
        guard try kind() == .bool else { throw JSONError(.wrongType, at: at) }
        if byte(at) == 0x74 {
            // "true" as one word.
            if at &+ 4 <= count, base.loadUnaligned(fromByteOffset: at, as: UInt32.self).littleEndian == 0x6575_7274 {
                at &+= 4
                return true
            }
            try literal("true")
            return true
        }
        try literal("false")
        return false
    }

    /// Skips `null`, if that is what comes next.
    @inlinable package mutating func skipNull() throws(JSONError) -> Bool {
        guard try kind() == .null else { return false }
        try literal("null")
        return true
    }

    @usableFromInline mutating func literal(_ text: StaticString) throws(JSONError) {
        let length = text.utf8CodeUnitCount
        guard at + length <= count else { throw JSONError(.endOfInput, at: count) }
        for index in 0..<length where byte(at + index) != text.utf8Start[index] {
            throw JSONError(.unexpectedByte, at: at + index)
        }
        at += length
    }

    /// Skips the next value, whatever it is, and checks it on the way.
    ///
    /// Not recursive: nesting beyond 64 levels is an error, so that no input overflows the stack.
    @inlinable @_transparent
    package mutating func skipValue() throws(JSONError) {
        switch try kind() {
        case .string: _ = try string()
        case .number: try skipNumber()
        case .bool: _ = try bool()
        case .null: _ = try skipNull()
        case .object, .array: try skipNested()
        }
    }

    /// Skips the next value and returns its bytes as they stand.
    package mutating func rawValue() throws(JSONError) -> UnsafeRawBufferPointer {
        skipSpace()
        let start = at
        try skipValue()
        return UnsafeRawBufferPointer(start: base + start, count: at - start)
    }

    @usableFromInline mutating func skipNested() throws(JSONError) {
        // One bit a level: set for objects, clear for arrays.
        var levels: UInt64 = 0
        var depth = 0
        repeat {
            // Here a value is next, or the end of the innermost container.
            if depth > 0 {
                let inObject = levels & 1 == 1
                let more: Bool
                if inObject { more = try nextKey() != nil } else { more = try nextElement() }
                if !more {
                    levels >>= 1
                    depth -= 1
                    continue
                }
            }
            switch try kind() {
            case .object:
                guard depth < 64 else { throw JSONError(.tooDeep, at: at) }
                try beginObject()
                levels = levels << 1 | 1
                depth += 1
            case .array:
                guard depth < 64 else { throw JSONError(.tooDeep, at: at) }
                try beginArray()
                levels = levels << 1
                depth += 1
            case .string: _ = try string()
            case .number: try skipNumber()
            case .bool: _ = try bool()
            case .null: _ = try skipNull()
            }
        } while depth > 0
    }
}
