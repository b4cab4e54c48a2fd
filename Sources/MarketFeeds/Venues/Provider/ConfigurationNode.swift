import StreamCore

/// A small JSON text as a tree that knows where each value stands, so that what is wrong with one can be said with its line.
struct ConfigurationNode {
    enum Value {
        case object([(key: String, offset: Int, node: ConfigurationNode)])
        case array([ConfigurationNode])
        case string(String)
        case number(Double, String)
        case bool(Bool)
        case null
    }

    var value: Value
    /// Of its first byte.
    var offset: Int

    /// Nesting of a configuration: requests have little.
    private static let deepest = 16

    init(_ scanner: inout JSONScanner, depth: Int = 0) throws(JSONError) {
        let kind = try scanner.kind()
        offset = scanner.offset
        guard depth < Self.deepest else { throw JSONError(.tooDeep, at: offset) }
        switch kind {
        case .object:
            var members: [(key: String, offset: Int, node: ConfigurationNode)] = []
            try scanner.beginObject()
            while let key = try scanner.nextKey() {
                let at = scanner.offset
                members.append((key.string, at, try ConfigurationNode(&scanner, depth: depth + 1)))
            }
            value = .object(members)
        case .array:
            var elements: [ConfigurationNode] = []
            try scanner.beginArray()
            while try scanner.nextElement() { elements.append(try ConfigurationNode(&scanner, depth: depth + 1)) }
            value = .array(elements)
        case .string: value = .string(try scanner.string().string)
        case .number:
            var copy = scanner
            let number = try scanner.number()
            value = .number(number, String(decoding: try copy.rawValue(), as: UTF8.self))
        case .bool: value = .bool(try scanner.bool())
        case .null:
            _ = try scanner.takeNull()
            value = .null
        }
    }

    /// The tree of a whole text; `nil` where it is no JSON.
    static func read(_ bytes: [UInt8]) -> ConfigurationNode? {
        bytes.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            guard let node = try? ConfigurationNode(&scanner), (try? scanner.end()) != nil else { return nil }
            return node
        }
    }

    /// As JSON without blanks.
    var json: String {
        switch value {
        case .object(let members):
            "{" + members.map { "\(FeedAnswerReader.quoted($0.key)):\($0.node.json)" }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .string(let text): FeedAnswerReader.quoted(text)
        case .number(_, let digits): digits
        case .bool(let value): value ? "true" : "false"
        case .null: "null"
        }
    }

    /// What it is, for a sentence.
    var kind: String {
        switch value {
        case .object: "an object"
        case .array: "an array"
        case .string: "a text"
        case .number: "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}
