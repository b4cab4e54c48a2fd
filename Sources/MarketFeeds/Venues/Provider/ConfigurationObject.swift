import StreamCore

/// An object of a configuration while its keys are read: each once, and at the end none may be left.
struct ConfigurationObject {
    let file: ConfigurationText
    /// Before its keys in sentences: `tick.`
    let prefix: String
    let offset: Int
    private var members: [String: JSONNode] = [:]
    private var offsets: [(key: String, offset: Int)] = []
    private var known: [String] = []

    init(_ node: JSONNode, _ file: ConfigurationText, prefix: String = "") throws(FeedError) {
        self.file = file
        self.prefix = prefix
        offset = node.offset
        guard case .object(let list) = node.value else {
            let what = prefix.isEmpty ? "the file" : "\"\(prefix.dropLast())\""
            throw file.error(node.offset, "\(what) must be an object, and is \(node.kind)")
        }
        for (key, offset, value) in list {
            guard members[key] == nil else { throw file.error(offset, "\"\(prefix)\(key)\" is there twice") }
            members[key] = value
            offsets.append((key, offset))
        }
    }

    mutating func value(_ key: String) -> JSONNode? {
        known.append(key)
        return members.removeValue(forKey: key)
    }

    /// No unknown key may be left: a misspelt key would do nothing, silently.
    func end() throws(FeedError) {
        guard let (key, offset) = offsets.first(where: { members[$0.key] != nil }) else { return }
        let meant = NearestName.of(key, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
        let list = meant.isEmpty ? "; allowed are \(known.joined(separator: ", "))" : meant
        throw file.error(offset, "\"\(prefix)\(key.prefix(40))\" is not a valid key\(list)")
    }

    func error(_ key: String, _ node: JSONNode, _ allowed: String) -> FeedError {
        let shown: String =
            switch node.value {
            // Of an address, nothing that grants access.
            case .string(let text) where text.contains("://"): "\"\(FeedAddress.shown(text).prefix(60))\""
            case .string(let text): "\"\(text.prefix(60))\""
            case .number(_, let digits): String(digits.prefix(40))
            case .object, .array, .bool, .null: node.kind
            }
        return file.error(node.offset, "\"\(prefix)\(key)\" must be \(allowed), and is \(shown)")
    }

    mutating func text(_ key: String, maxLength: Int = 200) throws(FeedError) -> String? {
        try text(key, "a text of 1 to \(maxLength) characters") { text in
            !text.isEmpty && text.unicodeScalars.count <= maxLength
                && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
    }

    /// - Parameter allowed: what it must be, for a sentence.
    mutating func text(
        _ key: String, _ allowed: String, where isAllowed: (String) -> Bool
    ) throws(FeedError) -> String? {
        guard let node = value(key) else { return nil }
        guard case .string(let text) = node.value, isAllowed(text) else { throw error(key, node, allowed) }
        return text
    }

    mutating func number(_ key: String, _ allowed: ClosedRange<Double>) throws(FeedError) -> Double? {
        guard let node = value(key) else { return nil }
        guard case .number(let number, _) = node.value, allowed.contains(number) else {
            throw error(
                key, node, "a number from \(Self.shown(allowed.lowerBound)) to \(Self.shown(allowed.upperBound))")
        }
        return number
    }

    private static func shown(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? String(number) }

    mutating func texts(_ key: String) throws(FeedError) -> [String]? {
        guard let node = value(key) else { return nil }
        let elements: [JSONNode] = if case .array(let list) = node.value { list } else { [node] }
        var texts: [String] = []
        for element in elements {
            switch element.value {
            case .string(let text): texts.append(text)
            case .number(_, let digits): texts.append(digits)
            case .bool(let value): texts.append(value ? "true" : "false")
            case .object, .array, .null: throw error(key, element, "a text, or an array of texts")
            }
        }
        guard !texts.isEmpty else { throw error(key, node, "a text, or an array of texts") }
        return texts
    }

    /// A path; `.some(nil)` where it is `null`: there is none.
    mutating func path(_ key: String, mayBeNull: Bool) throws(FeedError) -> FieldPath?? {
        guard let node = value(key) else { return nil }
        let allowed = "a path as \"p\", \"data.p\" or \"1.0\"" + (mayBeNull ? ", or null for none" : "")
        switch node.value {
        case .null where mayBeNull: return .some(nil)
        case .string(let text):
            guard let path = FieldPath(text) else { throw error(key, node, allowed) }
            return path
        default: throw error(key, node, allowed)
        }
    }

    /// A template: a text, or an object that is sent as JSON; `.some(nil)` where it is `null`.
    mutating func template(
        _ key: String, mayBeNull: Bool = false, places: [ProviderTemplate.Place]
    ) throws(FeedError) -> ProviderTemplate?? {
        guard let node = value(key) else { return nil }
        let text: String
        switch node.value {
        case .null where mayBeNull: return .some(nil)
        case .string(let plain) where !plain.isEmpty: text = plain
        case .object, .array: text = node.json
        default: throw error(key, node, "a text or an object\(mayBeNull ? ", or null for none" : "")")
        }
        let allowed = places.map { "{\($0.rawValue)}" }.joined(separator: ", ")
        do throws(ProviderTemplateError) {
            let template = try ProviderTemplate(text)
            for place in ProviderTemplate.Place.allCases where template.has(place) && !places.contains(place) {
                throw ProviderTemplateError(place: place.rawValue)
            }
            return template
        } catch {
            throw file.error(
                node.offset, "\"\(prefix)\(key)\" has the place {\(error.place.prefix(40))}; allowed are \(allowed)")
        }
    }

    mutating func object(_ key: String) throws(FeedError) -> ConfigurationObject? {
        guard let node = value(key) else { return nil }
        return try ConfigurationObject(node, file, prefix: "\(prefix)\(key).")
    }
}

/// The text of a configuration, for sentences that name a line.
struct ConfigurationText {
    let name: String
    let bytes: [UInt8]

    /// - Parameter problem: goes on after "acme.json, line 3:".
    func error(_ offset: Int, _ problem: String) -> FeedError {
        FeedError(.input, "\(name), line \(bytes.line(at: offset)): \(problem).")
    }
}

extension JSONNode {
    /// What it is, for a sentence.
    fileprivate var kind: String {
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
