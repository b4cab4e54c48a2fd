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
            _ = try scanner.skipNull()
            value = .null
        }
    }

    /// The tree of a whole text; `nil` where it is not JSON.
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

/// The name that the user meant, for a sentence about one that does not exist.
enum NearestName {
    /// - Returns: `nil` where none is like it: more than a third of it would have to change.
    static func of(_ name: String, among names: [String]) -> String? {
        let near = names.map { ($0, distance(Array(name.lowercased().utf8.prefix(40)), Array($0.utf8))) }
            .min { $0.1 < $1.1 }
        guard let near, near.1 <= max(1, min(name.utf8.count, near.0.utf8.count) / 3) else { return nil }
        return near.0
    }

    /// Insertions, removals and replacements between two texts (Levenshtein).
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for i in a.indices {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let cost = min(row[j + 1] + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1))
                diagonal = row[j + 1]
                row[j + 1] = cost
            }
        }
        return row[b.count]
    }
}
