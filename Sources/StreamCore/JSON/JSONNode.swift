/// A small JSON text as a tree that knows where each value stands, so that an error can name its line.
package struct JSONNode: Sendable {
    package typealias Member = (key: String, offset: Int, node: JSONNode)

    package enum Value: Sendable {
        /// In the order of the text; a key may be there twice. The offset is that of the byte behind the key's colon.
        case object([Member])
        case array([JSONNode])
        case string(String)
        /// Also its digits as they stand.
        case number(Double, String)
        case bool(Bool)
        case null
    }

    package let value: Value
    /// Of its first byte.
    package let offset: Int

    /// Levels of a configuration: requests have few.
    private static let deepest = 16

    /// Reads one JSON text.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        let read = bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in
                var scanner = JSONScanner(bytes)
                let node = try JSONNode(&scanner)
                try scanner.end()
                return node
            }
        }
        self = try read.get()
    }

    private init(_ scanner: inout JSONScanner, depth: Int = 0) throws(JSONError) {
        let kind = try scanner.kind()
        offset = scanner.offset
        guard depth < Self.deepest else { throw JSONError(.tooDeep, at: offset) }
        switch kind {
        case .object:
            var members: [Member] = []
            try scanner.beginObject()
            while let key = try scanner.nextKey() {
                let at = scanner.offset
                members.append((key.string, at, try JSONNode(&scanner, depth: depth + 1)))
            }
            value = .object(members)
        case .array:
            var elements: [JSONNode] = []
            try scanner.beginArray()
            while try scanner.nextElement() { elements.append(try JSONNode(&scanner, depth: depth + 1)) }
            value = .array(elements)
        case .string: value = .string(try scanner.string().string)
        case .number:
            var copy = scanner
            let number = try scanner.number()
            value = .number(number, String(utf8: try copy.rawValue()))
        case .bool: value = .bool(try scanner.bool())
        case .null:
            _ = try scanner.skipNull()
            value = .null
        }
    }

    /// The first member of this name.
    package subscript(key: String) -> JSONNode? { members?.first { $0.key == key }?.node }

    package var text: String? { if case .string(let text) = value { text } else { nil } }
    package var elements: [JSONNode]? { if case .array(let elements) = value { elements } else { nil } }
    package var members: [Member]? { if case .object(let members) = value { members } else { nil } }

    /// As JSON without blanks.
    package var json: String {
        var sink: [UInt8] = []
        write(into: &sink)
        return sink.withUnsafeBytes { String(utf8: $0) }
    }

    private func write(into sink: inout [UInt8]) {
        switch value {
        case .object(let members):
            for (index, member) in members.enumerated() {
                sink.json(index == 0 ? "{" : ",")
                sink.string(member.key)
                sink.json(":")
                member.node.write(into: &sink)
            }
            sink.json(members.isEmpty ? "{}" : "}")
        case .array(let elements): sink.list(elements) { $1.write(into: &$0) }
        case .string(let text): sink.string(text)
        case .number(_, let digits): sink += digits.utf8
        case .bool(let value): sink.bool(value)
        case .null: sink.json("null")
        }
    }
}

extension [UInt8] {
    /// The line of a text, from 1, in which the byte at an offset is.
    package func line(at offset: Int) -> Int { 1 + prefix(offset).count { $0 == 0x0A } }
}
