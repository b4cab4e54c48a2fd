internal import StreamCore

/// A JSON document with the line of each value, so that an error can name it.
struct LocatedJSON {
    let value: JSONValue
    private var lines: [String: Int] = [:]

    /// - Throws: `ConsultationTypesError` with the line where the text is not JSON, or has a key twice.
    init(_ text: String) throws(ConsultationTypesError) {
        let bytes = [UInt8](text.utf8)
        func line(_ offset: Int) -> Int { 1 + bytes.prefix(max(0, offset)).count { $0 == UInt8(ascii: "\n") } }
        var offsets: [String: Int] = [:]
        var twice: String?
        let read = bytes.withUnsafeBytes { raw in
            Result { () throws(JSONError) in
                var scanner = JSONScanner(raw)
                let value = try Self.read(&scanner, "", &offsets, &twice)
                try scanner.end()
                return value
            }
        }
        lines = offsets.mapValues(line)
        switch read {
        case .success(let found): value = found
        case .failure(let error):
            throw ConsultationTypesError(line: line(error.offset), "The file is not JSON: \(error.problem.sentence).")
        }
        if let twice {
            throw ConsultationTypesError(line: lines[twice] ?? 1, field: twice, "Field \"\(twice)\" is there twice.")
        }
    }

    /// The line of the value at a path such as `types[1].title`.
    func line(_ path: String) -> Int { lines[path] ?? 1 }

    private static func read(
        _ scanner: inout JSONScanner, _ path: String, _ offsets: inout [String: Int], _ twice: inout String?,
        depth: Int = 0
    ) throws(JSONError) -> JSONValue {
        let kind = try scanner.kind()
        offsets[path] = scanner.offset
        guard depth < 8 else { throw JSONError(.tooDeep, at: scanner.offset) }
        switch kind {
        case .array:
            try scanner.beginArray()
            var elements: [JSONValue] = []
            while try scanner.nextElement() {
                let inner = "\(path)[\(elements.count)]"
                elements.append(try read(&scanner, inner, &offsets, &twice, depth: depth + 1))
            }
            return .array(elements)
        case .object:
            try scanner.beginObject()
            var members: [String: JSONValue] = [:]
            while let key = try scanner.nextKey() {
                let name = key.string
                let inner = path.isEmpty ? name : "\(path).\(name)"
                let value = try read(&scanner, inner, &offsets, &twice, depth: depth + 1)
                if members.updateValue(value, forKey: name) != nil { twice = twice ?? inner }
            }
            return .object(members)
        default: return try scanner.value(depth: depth)
        }
    }
}

/// Why a configuration of consultation types cannot be used.
public struct ConsultationTypesError: Error, Sendable, Hashable, CustomStringConvertible {
    /// From 1.
    public var line: Int
    /// For example `types[1].templates[0]`; empty: the file itself.
    public var field: String
    /// What is there and what is allowed, as a sentence.
    public var reason: String

    init(line: Int, field: String = "", _ reason: String) {
        self.line = line
        self.field = field
        self.reason = reason
    }

    public var description: String { "Line \(line): \(reason)" }
}
