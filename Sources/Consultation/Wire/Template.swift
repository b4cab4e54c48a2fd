/// Something an assistant made that the user can open: `template_created` with its metadata.
public struct Template: Sendable, Hashable, Identifiable {
    /// `template_id` on the wire.
    public var id: String
    /// `type` on the wire.
    public var kind: TemplateKind
    public var name: String
    public var description: String
    /// Everything else in the metadata: what the template consists of.
    public var fields: [String: JSONValue]

    public init(
        id: String, kind: TemplateKind, name: String, description: String = "", fields: [String: JSONValue] = [:]
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.description = description
        self.fields = fields
    }

    /// Reads the metadata of a `template_created`.
    /// - Throws: `EnvelopeError` where `template_id`, `type` or `name` is missing or no text. Without a description it
    ///   goes.
    public init(metadata: [String: JSONValue]?) throws(EnvelopeError) {
        var fields = metadata ?? [:]
        id = try Self.take("template_id", from: &fields)
        kind = TemplateKind(name: try Self.take("type", from: &fields))
        name = try Self.take("name", from: &fields)
        description = fields.removeValue(forKey: "description")?.text ?? ""
        self.fields = fields
    }

    private static func take(_ key: String, from fields: inout [String: JSONValue]) throws(EnvelopeError) -> String {
        guard let text = fields.removeValue(forKey: key)?.text, !text.isEmpty else {
            throw EnvelopeError("The field metadata.\(key) is missing or no text.", field: "metadata.\(key)")
        }
        return text
    }

    public var metadata: [String: JSONValue] {
        var metadata = fields
        metadata["template_id"] = .string(id)
        metadata["type"] = .string(kind.name)
        metadata["name"] = .string(name)
        metadata["description"] = .string(description)
        return metadata
    }

    /// The line that stands in the conversation.
    public var announcement: String { "Created \(kind.name) template: \(name)" }
}
