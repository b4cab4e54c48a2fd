import StreamCore

/// A small JSON text as a tree: what clients of a simulated venue say, and single trades of a recording. Numbers keep
/// their digits.
enum VenueJSON: Equatable, Sendable {
    case object([(key: String, value: VenueJSON)])
    case array([VenueJSON])
    case string(String)
    case number(String)
    case bool(Bool)
    case null

    /// The tree of a whole text, or `nil` where it is no JSON or nested deeper than any message is.
    init?(_ bytes: [UInt8]) {
        let tree = bytes.withUnsafeBytes { buffer -> VenueJSON? in
            var scanner = JSONScanner(buffer)
            guard let tree = try? Self.value(&scanner, depth: 0), (try? scanner.end()) != nil else { return nil }
            return tree
        }
        guard let tree else { return nil }
        self = tree
    }

    init?(_ text: String) { self.init(Array(text.utf8)) }

    private static func value(_ scanner: inout JSONScanner, depth: Int) throws(JSONError) -> VenueJSON {
        guard depth < 16 else { throw JSONError(.tooDeep, at: scanner.offset) }
        switch try scanner.kind() {
        case .object:
            var members: [(key: String, value: VenueJSON)] = []
            try scanner.beginObject()
            while let key = try scanner.nextKey() {
                members.append((key.string, try value(&scanner, depth: depth + 1)))
            }
            return .object(members)
        case .array:
            var elements: [VenueJSON] = []
            try scanner.beginArray()
            while try scanner.nextElement() { elements.append(try value(&scanner, depth: depth + 1)) }
            return .array(elements)
        case .string: return .string(try scanner.string().string)
        case .number: return .number(String(decoding: try scanner.rawValue(), as: UTF8.self))
        case .bool: return .bool(try scanner.bool())
        case .null:
            _ = try scanner.skipNull()
            return .null
        }
    }

    static func == (a: VenueJSON, b: VenueJSON) -> Bool { a.text == b.text }

    // MARK: Reading

    /// The first member of this name.
    subscript(_ key: String) -> VenueJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    subscript(_ index: Int) -> VenueJSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var array: [VenueJSON]? { if case .array(let elements) = self { elements } else { nil } }
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    var isNull: Bool { if case .null = self { true } else { false } }
    var integer: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }

    /// The digits of a number, whether it stands in quotes or not.
    var digits: String? {
        switch self {
        case .number(let digits), .string(let digits): digits
        default: nil
        }
    }

    /// An array's strings; `nil` where one is something else.
    var strings: [String]? {
        guard let array else { return nil }
        let strings = array.compactMap(\.string)
        return strings.count == array.count ? strings : nil
    }

    // MARK: Writing

    /// The value as JSON, without blanks.
    var text: String {
        switch self {
        case .object(let members):
            "{" + members.map { "\(Self.quoted($0.key)):\($0.value.text)" }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .string(let text): Self.quoted(text)
        case .number(let digits): digits
        case .bool(let value): value ? "true" : "false"
        case .null: "null"
        }
    }

    static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.string(text)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `["a","b"]`
    static func list(_ texts: some Sequence<String>) -> String {
        "[" + texts.map(quoted).joined(separator: ",") + "]"
    }
}
