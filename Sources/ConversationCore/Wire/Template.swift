public import StreamCore

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
        id = try Self.remove("template_id", from: &fields)
        kind = TemplateKind(name: try Self.remove("type", from: &fields))
        name = try Self.remove("name", from: &fields)
        description = fields.removeValue(forKey: "description")?.text ?? ""
        self.fields = fields
    }

    private static func remove(_ key: String, from fields: inout [String: JSONValue]) throws(EnvelopeError) -> String {
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

/// What a template is for. The first three are the source document's; the others are for the markets on screen.
public enum TemplateKind: Sendable, Hashable {
    case meal, workout, wellness
    case chartLayout, alert, watchlist
    /// Never an order by itself: it becomes a paper order once the user approves its card.
    case orderProposal
    /// A word of a later version.
    case unknown(String)

    public static let known: [TemplateKind] = [
        .meal, .workout, .wellness, .chartLayout, .alert, .watchlist, .orderProposal,
    ]

    public init(name: String) {
        self = Self.known.first { $0.name == name } ?? .unknown(name)
    }

    /// As it stands on the wire.
    public var name: String {
        switch self {
        case .meal: "meal"
        case .workout: "workout"
        case .wellness: "wellness"
        case .chartLayout: "chart_layout"
        case .alert: "alert"
        case .watchlist: "watchlist"
        case .orderProposal: "order_proposal"
        case .unknown(let name): name
        }
    }

    /// The name of its symbol on Apple platforms; `doc.fill` for all that the source document does not name.
    public var iconName: String {
        switch self {
        case .meal: "fork.knife"
        case .workout: "dumbbell.fill"
        case .wellness: "heart.fill"
        case .chartLayout, .alert, .watchlist, .orderProposal, .unknown: "doc.fill"
        }
    }
}

/// What the user made of an order proposal.
public enum ProposalDecision: Sendable, Hashable {
    /// The paper order that it became.
    case approved(order: String)
    case declined

    /// As it stands in a template's metadata.
    public var name: String {
        switch self {
        case .approved: "approved"
        case .declined: "declined"
        }
    }

    public var order: String? { if case .approved(let order) = self { order } else { nil } }

    /// - Returns: `nil` for what is no decision.
    public init?(name: String?, order: String?) {
        switch (name, order) {
        case ("approved", let order?): self = .approved(order: order)
        case ("declined", _): self = .declined
        default: return nil
        }
    }
}

extension Template {
    /// What the user decided about the proposal; `nil`: nothing yet, or it is no proposal.
    public internal(set) var decision: ProposalDecision? {
        get { ProposalDecision(name: fields["decision"]?.text, order: fields["order_id"]?.text) }
        set {
            fields["decision"] = newValue.map { .string($0.name) }
            fields["order_id"] = newValue?.order.map { .string($0) }
        }
    }

    /// As it was made.
    package var undecided: Template {
        var template = self
        template.decision = nil
        return template
    }

    /// The metadata of a `template_updated`.
    var update: [String: JSONValue] {
        var metadata: [String: JSONValue] = ["template_id": .string(id)]
        metadata["decision"] = fields["decision"]
        metadata["order_id"] = fields["order_id"]
        return metadata
    }
}
