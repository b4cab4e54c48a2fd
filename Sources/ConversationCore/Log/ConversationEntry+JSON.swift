public import StreamCore

extension ConversationEntry {
    /// What kind of entry it is, for a column of its own in a store.
    public var kind: String {
        switch event {
        case .opened: "opened"
        case .userMessage: "user_message"
        case .answerStarted: "answer_started"
        case .answerText: "answer_text"
        case .template: "template"
        case .answerEnded: "answer_ended"
        case .decided: "decided"
        }
    }

    /// The entry as JSON, to be kept.
    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "number": .number(Double(number)), "time": .number(time), "kind": .string(kind),
        ]
        switch event {
        case .opened(let user, let kind):
            members["user"] = .string(user)
            members["consultation_type"] = .string(kind)
        case .userMessage(let id, let text, let details):
            members["id"] = .string(id)
            members["text"] = .string(text)
            if let metadata = details.metadata { members["metadata"] = .object(metadata) }
        case .answerText(let id, let text):
            members["id"] = .string(id)
            members["text"] = .string(text)
        case .answerStarted(let id, let replyTo):
            members["id"] = .string(id)
            members["reply_to"] = .string(replyTo)
        case .template(let id, let template):
            members["id"] = .string(id)
            members["template"] = .object(template.metadata)
        case .answerEnded(let id, let end, let usage):
            members["id"] = .string(id)
            members["end"] = .string(end.name)
            if let reason = end.reason { members["reason"] = .string(reason) }
            if let usage { members["usage"] = usage.json }
        case .decided(let template, let decision):
            members["template_id"] = .string(template)
            members["decision"] = .string(decision.name)
            if let order = decision.order { members["order_id"] = .string(order) }
        }
        return .object(members)
    }

    /// - Throws: `EnvelopeError` where a field is missing or the kind is not known: a log with a hole is no log.
    public init(json: JSONValue) throws(EnvelopeError) {
        guard let number = json["number"]?.integer, let time = json["time"]?.number, let kind = json["kind"]?.text
        else {
            throw EnvelopeError("The entry has no number, time or kind.")
        }
        self.number = number
        self.time = time
        func text(_ key: String) throws(EnvelopeError) -> String {
            guard let text = json[key]?.text else {
                throw EnvelopeError("The field \(key) of entry \(number) is missing or no text.", field: key)
            }
            return text
        }
        switch kind {
        case "opened": event = .opened(user: try text("user"), kind: try text("consultation_type"))
        case "user_message":
            event = .userMessage(
                id: try text("id"), text: try text("text"), try MessageDetails(metadata: json["metadata"]?.members))
        case "answer_started": event = .answerStarted(id: try text("id"), replyTo: try text("reply_to"))
        case "answer_text": event = .answerText(id: try text("id"), text: try text("text"))
        case "template":
            event = .template(id: try text("id"), try Template(metadata: json["template"]?.members))
        case "answer_ended":
            event = .answerEnded(
                id: try text("id"), AnswerEnd(name: try text("end"), reason: json["reason"]?.text),
                json["usage"].map { ModelUsage(json: $0) })
        case "decided":
            guard let decision = ProposalDecision(name: try text("decision"), order: json["order_id"]?.text) else {
                throw EnvelopeError("The decision of entry \(number) is not known here.", field: "decision")
            }
            event = .decided(template: try text("template_id"), decision)
        default: throw EnvelopeError("Entry \(number) is of the kind \(kind), which is not known here.", field: "kind")
        }
    }
}
