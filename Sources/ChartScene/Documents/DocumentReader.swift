/// Reads a JSON document (RFC 8259) strictly: what is not expected is an error with its place.
struct DocumentReader {
    private let bytes: [UInt8]
    private var position = 0
    /// The way to the value being read.
    private var path: [UInt8] = []

    init(_ utf8: some Sequence<UInt8>) { bytes = Array(utf8) }

    /// Calls `body` for each field with the reader before its value, which it has to read. A name comes once.
    mutating func object(_ body: (inout DocumentReader, [UInt8]) throws(DocumentError) -> Void) throws(DocumentError) {
        try expect(0x7B, "an object is expected here")
        var names: [[UInt8]] = []
        guard !skip(0x7D) else { return }
        repeat {
            space()
            guard peek == 0x22 else { throw fail("a field's name in quotes is expected here") }
            let name = try string(maxLength: 64)
            let length = path.count
            if length > 0 { path.append(0x2E) }
            path.append(contentsOf: name)
            guard !names.contains(where: { $0 == name }) else { throw fail("duplicate field") }
            names.append(name)
            try expect(0x3A, "a colon is expected after the name")
            try body(&self, name)
            path.removeLast(path.count - length)
        } while skip(0x2C)
        try expect(0x7D, "a comma or the end of the object is expected here")
    }

    /// Calls `body` for each item with its number, before its value.
    mutating func array(_ body: (inout DocumentReader, Int) throws(DocumentError) -> Void) throws(DocumentError) {
        try expect(0x5B, "a list is expected here")
        guard !skip(0x5D) else { return }
        var index = 0
        repeat {
            let length = path.count
            var number = TextBuffer()
            number.append(integer: UInt64(index))
            path.append(0x5B)
            path.append(contentsOf: number.bytes)
            path.append(0x5D)
            try body(&self, index)
            path.removeLast(path.count - length)
            index += 1
        } while skip(0x2C)
        try expect(0x5D, "a comma or the end of the list is expected here")
    }

    /// A finite number.
    mutating func number() throws(DocumentError) -> Double {
        space()
        let start = position
        _ = next(0x2D)
        guard next(0x30) || digits() > 0 else { throw fail("a number is expected here") }
        if next(0x2E), digits() == 0 { throw fail("a digit is expected after the point") }
        if next(0x65) || next(0x45) {
            _ = next(0x2B) || next(0x2D)
            guard digits() > 0 else { throw fail("a digit is expected in the exponent") }
        }
        guard position - start <= 64, let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)),
            value.isFinite
        else { throw fail("this number is too long or too large") }
        return value
    }

    mutating func number(_ range: ClosedRange<Double>, _ problem: StaticString) throws(DocumentError) -> Double {
        let value = try number()
        guard range.contains(value) else { throw fail(problem) }
        return value
    }

    mutating func bool() throws(DocumentError) -> Bool {
        if consume("true") { return true }
        if consume("false") { return false }
        throw fail("true or false is expected here")
    }

    /// A string's UTF-8, escapes resolved.
    /// - Parameter maxLength: in bytes.
    mutating func string(maxLength: Int) throws(DocumentError) -> [UInt8] {
        try expect(0x22, "a text in quotes is expected here")
        var text: [UInt8] = []
        while true {
            guard position < bytes.count else { throw fail("this text has no end") }
            let byte = bytes[position]
            position += 1
            if byte == 0x22 { break }
            guard byte >= 0x20 else { throw fail("a text has no control characters") }
            if byte == 0x5C { try escape(into: &text) } else { text.append(byte) }
            if text.count > maxLength { throw fail("this text is too long") }
        }
        guard String(decoding: text, as: UTF8.self).utf8.elementsEqual(text) else {
            throw fail("this text is no UTF-8")
        }
        return text
    }

    /// `#RRGGBB` or `#RRGGBBAA`.
    mutating func colour() throws(DocumentError) -> Colour {
        let text = try string(maxLength: 9)
        var value: UInt32 = 0
        var isHex = text.first == 0x23 && (text.count == 7 || text.count == 9)
        for byte in text.dropFirst() {
            let digit = DocumentReader.hex(byte)
            isHex = isHex && digit != nil
            value = value << 4 | (digit ?? 0)
        }
        guard isHex else { throw fail("a colour is #RRGGBB or #RRGGBBAA") }
        return text.count == 7 ? Colour(rgb: value) : Colour(rgba: value)
    }

    /// After the last value there is nothing.
    mutating func finish() throws(DocumentError) {
        space()
        guard position == bytes.count else { throw fail("the document has an end, and something after it") }
    }

    /// An error at the value being read.
    func fail(_ problem: StaticString) -> DocumentError {
        DocumentError(place: path, problem: problem.withUTF8Buffer { Array($0) })
    }

    // MARK: Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func space() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Goes past the next byte, where it is this one.
    private mutating func next(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        space()
        return next(byte)
    }

    private mutating func expect(_ byte: UInt8, _ problem: StaticString) throws(DocumentError) {
        guard skip(byte) else { throw fail(problem) }
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = peek, byte >= 0x30, byte <= 0x39 { position += 1 }
        return position - start
    }

    private mutating func consume(_ word: StaticString) -> Bool {
        space()
        let length = word.utf8CodeUnitCount
        guard position + length <= bytes.count else { return false }
        let isThere = word.withUTF8Buffer { $0.elementsEqual(bytes[position..<position + length]) }
        if isThere { position += length }
        return isThere
    }

    private mutating func escape(into text: inout [UInt8]) throws(DocumentError) {
        let byte = peek
        position += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: text.append(byte ?? 0)
        case 0x62: text.append(0x08)
        case 0x66: text.append(0x0C)
        case 0x6E: text.append(0x0A)
        case 0x72: text.append(0x0D)
        case 0x74: text.append(0x09)
        case 0x75:
            var scalar = try unit()
            if scalar >= 0xD800 && scalar < 0xDC00 {
                guard consume("\\u") else { throw fail("half a character is escaped here") }
                let low = try unit()
                guard low >= 0xDC00 && low < 0xE000 else { throw fail("half a character is escaped here") }
                scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
            }
            // Half a character alone becomes bytes that are no UTF-8, which `string` refuses.
            if let scalar = Unicode.Scalar(scalar), let utf8 = UTF8.encode(scalar) {
                text.append(contentsOf: utf8)
            } else {
                text += [0xFF, 0xFF, 0xFF]
            }
        default: throw fail("there is no such escape")
        }
    }

    private mutating func unit() throws(DocumentError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = DocumentReader.hex(byte) else {
                throw fail("four hexadecimal digits are expected after \\u")
            }
            value = value << 4 | digit
            position += 1
        }
        return value
    }

    private static func hex(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte) - 0x30
        case 0x41...0x46: UInt32(byte) - 0x37
        case 0x61...0x66: UInt32(byte) - 0x57
        default: nil
        }
    }
}

/// Why a document was refused: where, what, and what is allowed.
public struct DocumentError: Error, Sendable, Equatable {
    /// The way to the place, UTF-8: `drawings[2].anchors[0].time`; empty at the top.
    public let place: [UInt8]
    /// What is wrong and what is allowed there, UTF-8.
    public let problem: [UInt8]

    /// One sentence, UTF-8: `drawings[2].kind: "circle" is no kind of drawing; allowed are ...`.
    public var sentence: [UInt8] { place.isEmpty ? problem : place + [0x3A, 0x20] + problem }
}
