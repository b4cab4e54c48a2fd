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
    var undecided: Template {
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
