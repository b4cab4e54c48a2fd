internal import MarketModel

/// Any JSON value, typed: what a template's further fields and a tool's arguments are.
///
/// Numbers are doubles; money travels as strings, as everywhere in this product.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// A member of an object; `nil` where there is none, or where this is no object.
    public subscript(key: String) -> JSONValue? { if case .object(let members) = self { members[key] } else { nil } }

    /// The text of a member.
    @inline(never) package func text(_ key: String) -> String? { self[key]?.text }

    public var isNull: Bool { if case .null = self { true } else { false } }
    public var text: String? { if case .string(let text) = self { text } else { nil } }
    public var number: Double? { if case .number(let number) = self { number } else { nil } }
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    public var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    public var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// A whole number within ±2^53.
    public var integer: Int? {
        guard let number, number.magnitude <= 9_007_199_254_740_992 else { return nil }
        return Int(exactly: number)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var members: [String: JSONValue] = [:]
        for (key, value) in elements { members[key] = value }
        self = .object(members)
    }
}

extension JSONValue {
    /// Levels of arrays and objects that are read: deeper input would cost stack that a peer decides about.
    static let deepest = 32

    /// Reads one JSON text. Of a key that comes twice the last one counts (RFC 8259, section 4).
    public init(parsing bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var scanner = JSONScanner(bytes)
        self = try scanner.value()
        try scanner.end()
    }

    public init(parsing text: String) throws(JSONError) {
        let read = [UInt8](text.utf8).withUnsafeBytes { bytes in
            Result { () throws(JSONError) in try JSONValue(parsing: bytes) }
        }
        self = try read.get()
    }

    /// Writes the value, members in the order of their keys, so that equal values are equal bytes.
    public func write(into sink: inout some ByteSink) {
        switch self {
        case .null: sink.json("null")
        case .bool(let bool): sink.bool(bool)
        case .number(let number): sink.number(number)
        case .string(let text): sink.string(text)
        case .array(let elements): sink.list(elements) { $1.write(into: &$0) }
        case .object(let members): members.write(into: &sink)
        }
    }

    /// Bytes of the JSON text.
    package var size: Int {
        var sink = CountingSink()
        write(into: &sink)
        return sink.count
    }

    /// The JSON text.
    public var json: String {
        var bytes: [UInt8] = []
        write(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [String: JSONValue] {
    package func write(into sink: inout some ByteSink) {
        sink.json("{")
        var isFirst = true
        let names = Array(keys)
        for key in sortedIndices(names.count, { names[$0] < names[$1] }).map({ names[$0] }) {
            if !isFirst { sink.json(",") }
            isFirst = false
            sink.string(key)
            sink.json(":")
            self[key]?.write(into: &sink)
        }
        sink.json("}")
    }
}

extension JSONScanner {
    /// The next value, whatever it is.
    package mutating func value(depth: Int = 0) throws(JSONError) -> JSONValue {
        switch try kind() {
        case .null:
            _ = try skipNull()
            return .null
        case .bool: return .bool(try bool())
        case .number: return .number(try number())
        case .string: return .string(try string().string)
        case .array:
            guard depth < JSONValue.deepest else { throw JSONError(.tooDeep, at: offset) }
            try beginArray()
            var elements: [JSONValue] = []
            while try nextElement() { elements.append(try value(depth: depth + 1)) }
            return .array(elements)
        case .object: return .object(try members(depth: depth))
        }
    }

    package mutating func members(depth: Int = 0) throws(JSONError) -> [String: JSONValue] {
        guard depth < JSONValue.deepest else { throw JSONError(.tooDeep, at: offset) }
        try beginObject()
        var members: [String: JSONValue] = [:]
        while let key = try nextKey() { members[key.string] = try value(depth: depth + 1) }
        return members
    }
}

private struct CountingSink: ByteSink {
    var count = 0

    mutating func append(_ byte: UInt8) { count += 1 }
    mutating func append(_ bytes: UnsafeRawBufferPointer) { count += bytes.count }
}
