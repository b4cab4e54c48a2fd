import StreamCore

/// What a message looks like from outside: the members of an object with their texts, or the elements of an array.
struct MessageShape {
    private struct Member {
        var kind: JSONScanner.Kind
        var text: String?
    }

    private var members: [String: Member] = [:]
    /// The first of an array's elements; none of an object.
    private(set) var elements: [JSONScanner.Kind] = []
    private(set) var count = 0

    private static let maxElements = 16

    /// `nil` where the message is neither a JSON object nor an array.
    init?(_ bytes: Bytes) {
        do throws(JSONError) {
            var scanner = JSONScanner(bytes)
            if try scanner.kind() == .array {
                try scanner.beginArray()
                while try scanner.nextElement() {
                    count += 1
                    if count <= Self.maxElements { elements.append(try scanner.kind()) }
                    try scanner.skipValue()
                }
            } else {
                try scanner.beginObject()
                while let key = try scanner.nextKey() {
                    count += 1
                    let kind = try scanner.kind()
                    let text: String? = kind == .string ? try scanner.string().string : nil
                    if text == nil { try scanner.skipValue() }
                    members[key.string] = Member(kind: kind, text: text)
                }
            }
            try scanner.end()
        } catch { return nil }
    }

    /// A message for a sentence: its names and not its values, which may be secret.
    static func words(of bytes: Bytes) -> String {
        guard let shape = MessageShape(bytes) else { return "no JSON, \(bytes.count) bytes" }
        guard shape.elements.isEmpty else { return "an array of \(shape.count)" }
        let names = shape.members.keys.sorted().prefix(8).joined(separator: ", ")
        return names.isEmpty ? "empty" : "with the members \(RESTBody.quoted(names))"
    }

    subscript(_ name: String) -> String? { members[name]?.text }
    func has(_ names: String...) -> Bool { names.allSatisfy { members[$0] != nil } }
    func has(_ name: String, _ kind: JSONScanner.Kind) -> Bool { members[name]?.kind == kind }
}
