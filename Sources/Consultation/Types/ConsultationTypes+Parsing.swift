internal import ConversationCore
public import Foundation
internal import StreamCore

extension ConsultationTypes {
    /// Bytes of a configuration.
    public static let maxFileSize = 256 << 10

    /// Reads a configuration: `{"types": [...]}`, the first type is the default.
    /// - Throws: `ConsultationTypesError` with the line, what is there and what is allowed.
    public init(parsing text: String) throws(ConsultationTypesError) {
        let bytes = [UInt8](text.utf8)
        guard bytes.count <= Self.maxFileSize else {
            throw ConsultationTypesError(line: 1, "The file has more than \(Self.maxFileSize) bytes.")
        }
        let root: JSONNode
        do throws(JSONError) { root = try JSONNode(parsing: bytes) } catch {
            throw ConsultationTypesError(
                line: bytes.line(at: error.offset), "The file is not JSON: \(error.problem.sentence).")
        }
        let reader = TypeReader(file: bytes)
        try reader.members(of: root, at: "", ["types"])
        var names: Set<String> = []
        let types = try reader.list("types", 1...20, root["types"] ?? root, isMissing: root["types"] == nil) {
            value, path throws(ConsultationTypesError) in
            let type = try reader.type(value, path)
            guard names.insert(type.name).inserted else {
                throw reader.error("\(path).name", value["name"] ?? value, "a name that no other type has")
            }
            return type
        }
        self.init(types)
    }
}

/// Reads the fields of types, each with its limits.
private struct TypeReader {
    let file: [UInt8]

    private static let fields = [
        "name", "title", "system_prompt", "greeting", "placeholder", "questions", "templates", "context", "model",
        "limits", "safety_notes",
    ]

    func type(_ value: JSONNode, _ path: String) throws(ConsultationTypesError) -> ConsultationType {
        try members(of: value, at: path, Self.fields)
        func text(_ name: String, _ length: ClosedRange<Int>) throws(ConsultationTypesError) -> String? {
            guard let found = value[name] else { return nil }
            return try self.text("\(path).\(name)", length, found)
        }
        func required(_ name: String, _ length: ClosedRange<Int>) throws(ConsultationTypesError) -> String {
            guard let found = try text(name, length) else {
                throw error("\(path).\(name)", value, bytes(length), isMissing: true)
            }
            return found
        }
        func texts(_ name: String, most: Int, _ maxLength: Int) throws(ConsultationTypesError) -> [String] {
            guard let found = value[name] else { return [] }
            return try list("\(path).\(name)", 0...most, found) { each, path throws(ConsultationTypesError) in
                try self.text(path, 1...maxLength, each)
            }
        }
        let name = try required("name", 1...40)
        guard name.utf8.allSatisfy({ 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D || $0 == 0x5F }) else {
            throw error("\(path).name", value["name"] ?? value, "lower-case letters, digits, - and _")
        }
        var type = ConsultationType(
            name: name, title: try required("title", 1...80), prompt: try required("system_prompt", 1...16_384))
        type.greeting = try text("greeting", 0...2_000) ?? ""
        type.placeholder = try text("placeholder", 1...120) ?? type.placeholder
        type.questions = try texts("questions", most: 6, 120)
        type.safetyNotes = try texts("safety_notes", most: 10, 500)
        type.model = try text("model", 1...200)
        type.templates = try words("\(path).templates", value["templates"], TemplateKind.known, \.name)
        type.context = Set(
            try words("\(path).context", value["context"], ConsultationType.Context.allCases, \.rawValue))
        type.limits = try limits("\(path).limits", value["limits"])
        return type
    }

    private func limits(
        _ path: String, _ value: JSONNode?
    ) throws(ConsultationTypesError) -> ConsultationType.Limits {
        var limits = ConsultationType.Limits()
        guard let value else { return limits }
        try members(of: value, at: path, ["message_characters", "messages", "answer_bytes", "context_messages"])
        func number(_ name: String, _ range: ClosedRange<Int>) throws(ConsultationTypesError) -> Int? {
            guard let found = value[name] else { return nil }
            guard case .number(let value, _) = found.value, let number = Int(exactly: value), range.contains(number)
            else {
                throw error(
                    "\(path).\(name)", found, "a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
        let most = ConversationSettings()
        limits.messageCharacters = try number("message_characters", 1...most.maxMessageLength)
        limits.messages = try number("messages", 2...most.maxMessages)
        limits.answerBytes = try number("answer_bytes", 1_024...most.maxAnswerLength)
        limits.contextMessages = try number("context_messages", 1...most.contextMessages)
        return limits
    }

    /// Values of a fixed set, each once.
    private func words<Word: Hashable>(
        _ path: String, _ value: JSONNode?, _ known: [Word], _ name: (Word) -> String
    ) throws(ConsultationTypesError) -> [Word] {
        guard let value else { return [] }
        let allowed = known.map(name).joined(separator: ", ")
        var read: Set<Word> = []
        return try list(path, 0...known.count, value) { each, path throws(ConsultationTypesError) in
            guard let word = known.first(where: { name($0) == each.text }) else {
                throw error(path, each, "one of \(allowed)")
            }
            guard read.insert(word).inserted else { throw error(path, each, "a word that is not there already") }
            return word
        }
    }

    func list<Element>(
        _ path: String, _ count: ClosedRange<Int>, _ value: JSONNode, isMissing: Bool = false,
        _ read: (JSONNode, String) throws(ConsultationTypesError) -> Element
    ) throws(ConsultationTypesError) -> [Element] {
        guard let elements = value.elements, count.contains(elements.count) else {
            throw error(path, value, "a list of \(count.lowerBound) to \(count.upperBound)", isMissing: isMissing)
        }
        var found: [Element] = []
        for (index, element) in elements.enumerated() { found.append(try read(element, "\(path)[\(index)]")) }
        return found
    }

    private func text(
        _ path: String, _ length: ClosedRange<Int>, _ value: JSONNode
    ) throws(ConsultationTypesError) -> String {
        guard let text = value.text, length.contains(text.utf8.count) else { throw error(path, value, bytes(length)) }
        return text
    }

    func members(of value: JSONNode, at path: String, _ allowed: [String]) throws(ConsultationTypesError) {
        guard let members = value.members else { throw error(path, value, "an object") }
        func mistake(_ member: JSONNode.Member, _ reason: (String) -> String) -> ConsultationTypesError {
            let field = path.isEmpty ? member.key : "\(path).\(member.key)"
            return ConsultationTypesError(line: file.line(at: member.node.offset), field: field, reason(field))
        }
        var names: Set<String> = []
        for member in members where !names.insert(member.key).inserted {
            throw mistake(member) { "Field \"\($0)\" is there twice." }
        }
        let unknown = members.filter { !allowed.contains($0.key) }
        guard let first = unknown.min(by: { $0.key < $1.key }) else { return }
        throw mistake(first) {
            "There is no field \"\($0.prefix(120))\"; allowed: \(allowed.joined(separator: ", "))."
        }
    }

    private func bytes(_ length: ClosedRange<Int>) -> String {
        "a text of \(length.lowerBound) to \(length.upperBound) bytes"
    }

    /// - Parameter value: what is there; where nothing is, the object that lacks it.
    func error(
        _ path: String, _ value: JSONNode, _ allowed: String, isMissing: Bool = false
    ) -> ConsultationTypesError {
        let text = isMissing ? "missing" : value.json
        let shown = text.utf8.count > 80 ? "\(text.prefix(60))… (\(text.utf8.count) bytes)" : text
        let subject = path.isEmpty ? "The file" : "Field \"\(path)\""
        return ConsultationTypesError(
            line: file.line(at: value.offset), field: path, "\(subject) must be \(allowed); it is \(shown).")
    }
}

/// Why a configuration of consultation types cannot be used.
public struct ConsultationTypesError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
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
    public var errorDescription: String? { description }
}
