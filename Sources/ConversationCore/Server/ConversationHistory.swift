internal import MarketModel
public import StreamCore

/// A conversation as far as clients may know it: an end, a decision or a replacement that is not on disk has not happened.
///
/// A value of its own, so that a long one can be described elsewhere than where it goes on.
public struct ConversationHistory: Sendable {
    private let transcript: Transcript
    /// Events before this one are on disk.
    private let visible: Int
    /// How many messages clients may know of, from the first.
    let count: Int

    init(_ transcript: Transcript, visible: Int) {
        self.transcript = transcript
        self.visible = visible
        // Messages begin in the order of their events.
        count = transcript.places.partitioningIndex { $0.beginning >= visible }
    }

    /// Messages before another one, oldest first, as `sync` describes them.
    /// - Parameter before: the id of a message; `nil`: up to the newest.
    /// - Returns: the newest `limit` of them, and whether there are older ones; `nil` where there is no such message.
    /// - Complexity: O(messages returned).
    public func messages(before: String? = nil, limit: Int) -> (messages: [JSONValue], more: Bool)? {
        var end = count
        if let before {
            guard let index = transcript.indexes[before], index < count else { return nil }
            end = index
        }
        let start = max(0, end - max(0, limit))
        return ((start..<end).map { description(at: $0) }, start > 0)
    }

    /// A card as it stands in `metadata`, with the decision about it; `nil` where there is no such card.
    /// - Complexity: O(messages).
    public func template(_ id: String) -> [String: JSONValue]? {
        guard let index = transcript.messages[..<count].lastIndex(where: { $0.template?.id == id }) else { return nil }
        return shownTemplate(at: index)?.metadata
    }

    private func shownTemplate(at index: Int) -> Template? {
        let template = transcript.messages[index].template
        return isVisible(transcript.places[index].decision) ? template : template?.undecided
    }

    /// - Complexity: O(its text).
    func description(at index: Int) -> JSONValue {
        let (message, places) = (transcript.messages[index], transcript.places[index])
        var members: [String: JSONValue] = [
            "message_id": .string(message.id), "role": .string(message.role.rawValue), "content": .string(message.text),
            "timestamp": .number(message.time),
        ]
        if message.role == .assistant {
            let isShown = isVisible(places.end)
            members["end"] = .string(isShown ? message.end?.name ?? "streaming" : "streaming")
            if isShown, let reason = message.end?.reason { members["reason"] = .string(reason) }
            if isShown, let usage = message.usage { members["usage"] = usage.json }
        }
        if let replyTo = message.replyTo { members["reply_to"] = .string(replyTo) }
        if let metadata = shownTemplate(at: index)?.metadata ?? message.details.metadata {
            members["metadata"] = .object(metadata)
        }
        if let replacement = message.supersededBy.flatMap({ transcript.indexes[$0] }), replacement < count {
            members["superseded"] = true
        }
        return .object(members)
    }

    private func isVisible(_ event: Int?) -> Bool { event.map { $0 < visible } ?? false }
}

extension ConversationMachine {
    /// What clients may know at this moment.
    /// - Complexity: O(log messages).
    public var history: ConversationHistory { ConversationHistory(transcript, visible: visible) }
}
