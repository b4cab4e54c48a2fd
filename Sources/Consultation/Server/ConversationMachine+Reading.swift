extension ConversationMachine {
    /// Messages before another one, oldest first, as `sync` describes them.
    /// - Parameter before: the id of a message; `nil`: up to the newest.
    /// - Returns: the newest `limit` of them, and whether there are older ones; `nil` where there is no such message.
    public func messages(before: String? = nil, limit: Int) -> (messages: [JSONValue], more: Bool)? {
        var end = toldMessages.endIndex
        let told = toldMessages
        if let before {
            guard let index = transcript.indexes[before], let place = told.firstIndex(of: index) else { return nil }
            end = place
        }
        let start = max(0, end - max(0, limit))
        return (told[start..<end].map { description(of: transcript.messages[$0], at: $0) }, start > 0)
    }

    /// The messages that clients may know of, in order.
    var toldMessages: [Int] {
        transcript.events[..<visible].compactMap { event -> Int? in
            switch event.kind {
            case .userMessage, .answerStarted, .template: event.message
            case .answerEnded, .decided: nil
            }
        }
    }

    /// A message as far as it may be told: an end, a decision or a replacement that is not on disk has not happened.
    func description(of message: Transcript.Message, at index: Int) -> JSONValue {
        var members: [String: JSONValue] = [
            "message_id": .string(message.id), "role": .string(message.role.rawValue), "content": .string(message.text),
            "timestamp": .number(message.time),
        ]
        if message.role == .assistant {
            let isTold = transcript.events[..<visible].contains { $0.kind == .answerEnded && $0.message == index }
            members["end"] = .string(isTold ? message.end?.name ?? "streaming" : "streaming")
            if isTold, let reason = message.end?.reason { members["reason"] = .string(reason) }
            if isTold, let usage = message.usage { members["usage"] = usage.json }
        }
        if let replyTo = message.replyTo { members["reply_to"] = .string(replyTo) }
        let isDecided = transcript.events[..<visible].contains { $0.kind == .decided && $0.message == index }
        let template = isDecided ? message.template : message.template?.undecided
        if let metadata = template?.metadata ?? message.details.metadata { members["metadata"] = .object(metadata) }
        if let replacement = message.supersededBy.flatMap({ transcript.indexes[$0] }),
            transcript.events[..<visible].contains(where: { $0.message == replacement })
        {
            members["superseded"] = true
        }
        return .object(members)
    }
}
