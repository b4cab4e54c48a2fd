import StreamCore

/// A small JSON text as a tree, numbers with their digits: what clients say, and single trades of a recording.
enum VenueJSON: Equatable, Sendable {
    case object([(key: String, value: VenueJSON)])
    case array([VenueJSON])
    case string(String)
    case number(String)
    case bool(Bool)
    case null

    /// The tree of a whole text, or `nil` where it is not JSON or nested deeper than any message is.
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

    /// The value as JSON, without blanks.
    var text: String {
        switch self {
        case .object(let members):
            "{" + members.map { "\(quoted($0.key)):\($0.value.text)" }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .string(let text): quoted(text)
        case .number(let digits): digits
        case .bool(let value): value ? "true" : "false"
        case .null: "null"
        }
    }

    /// `["a","b"]`
    static func list(_ texts: some Sequence<String>) -> String { "[" + texts.map(quoted).joined(separator: ",") + "]" }

    /// The value at the end of a path.
    subscript(path: [String]) -> VenueJSON? {
        var value = self
        for step in path {
            let next = if case .array = value { Int(step).flatMap { value[$0] } } else { value[step] }
            guard let next else { return nil }
            value = next
        }
        return value
    }

    /// With a value at the end of a path, and what is needed on the way: objects, or arrays where a step is a number.
    func placing(_ value: VenueJSON, at path: some Collection<String>) -> VenueJSON {
        guard let step = path.first else { return value }
        if let index = Int(step) {
            var elements = array ?? []
            while elements.count <= index { elements.append(.null) }
            elements[index] = elements[index].placing(value, at: path.dropFirst())
            return .array(elements)
        }
        var members: [(key: String, value: VenueJSON)] = []
        if case .object(let known) = self { members = known }
        if let index = members.firstIndex(where: { $0.key == step }) {
            members[index].value = members[index].value.placing(value, at: path.dropFirst())
        } else {
            members.append((step, VenueJSON.null.placing(value, at: path.dropFirst())))
        }
        return .object(members)
    }

    /// What stands in the places of a template, by their names; `nil` where this is not the template filled.
    func places(of template: VenueJSON) -> [String: [String]]? {
        switch template {
        case .object(let members):
            guard case .object(let own) = self, own.count == members.count else { return nil }
            var found: [String: [String]] = [:]
            for (key, value) in members {
                guard let more = self[key]?.places(of: value) else { return nil }
                found.merge(more) { $0 + $1 }
            }
            return found
        case .array(let elements):
            guard let own = array, own.count == elements.count else { return nil }
            var found: [String: [String]] = [:]
            for (value, part) in zip(own, elements) {
                guard let more = value.places(of: part) else { return nil }
                found.merge(more) { $0 + $1 }
            }
            return found
        case .string("{symbols}"): return strings.map { ["symbols": $0] }
        case .string("{id}"): return digits.map { ["id": [$0]] }
        case .string(let text): return string?.places(of: text)
        case .number, .bool, .null: return self == template ? [:] : nil
        }
    }
}

/// A text as JSON, with its quotes.
func quoted(_ text: String) -> String { JSONValue.string(text).json }

/// A single value of a recorded message, without reading all of it: some have five megabytes.
/// - Parameter path: names, and positions in arrays.
/// - Returns: a string without its quotes, anything else as it stands; `nil` where the path leads nowhere or the text ends
///   before.
/// - Complexity: O(bytes up to the value).
func peek(_ message: [UInt8], _ path: String...) -> String? {
    message.withUnsafeBytes { buffer in
        var scanner = JSONScanner(buffer)
        for step in path { guard (try? scanner.enter(step)) == true else { return nil } }
        switch try? scanner.kind() {
        case .string: return (try? scanner.string())?.string
        case nil: return nil
        default: return (try? scanner.rawValue()).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

extension JSONScanner {
    fileprivate mutating func enter(_ step: String) throws(JSONError) -> Bool {
        switch try kind() {
        case .object:
            try beginObject()
            while let key = try nextKey() {
                if key.string == step { return true }
                try skipValue()
            }
        case .array:
            try beginArray()
            var left = Int(step) ?? -1
            while try nextElement() {
                if left == 0 { return true }
                try skipValue()
                left -= 1
            }
        case .string, .number, .bool, .null: break
        }
        return false
    }
}

extension String {
    /// What stands in the places of a template: `trade.{symbol}` of `trade.BTC-USD`.
    func places(of template: String) -> [String: [String]]? {
        guard let open = template.firstIndex(of: "{"), let close = template[open...].firstIndex(of: "}") else {
            return self == template ? [:] : nil
        }
        let before = template[..<open]
        let after = String(template[template.index(after: close)...])
        let name = String(template[template.index(after: open)..<close])
        guard hasPrefix(before) else { return nil }
        let rest = dropFirst(before.count)
        if after.isEmpty { return [name: [String(rest)]] }
        // Up to the first place at which what follows fits.
        var end = rest.startIndex
        while true {
            if var more = String(rest[end...]).places(of: after) {
                more[name, default: []].insert(String(rest[..<end]), at: 0)
                return more
            }
            guard end < rest.endIndex else { return nil }
            end = rest.index(after: end)
        }
    }
}
