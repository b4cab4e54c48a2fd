internal import StreamCore

/// What a device keeps of a conversation: one JSON text about the whole, and one for each message by its id.
///
/// The number of the last event and the messages belong together: with both, a client goes on at the server where the
/// device stopped, without a hole and without a message twice.
public struct StoredConversation: Sendable, Equatable {
    /// The last event of the server that `messages` include; 0 where the whole state must be requested.
    public internal(set) var sequence = 0
    /// Whether the server has messages before the first one here.
    public internal(set) var hasOlder = false
    /// Oldest first; those that wait for the server have the state `pending`.
    public internal(set) var messages: [ChatMessage] = []
    /// Waiting messages that a connection was given: the server may have them.
    var offered: [String] = []
    /// Answers to be stopped.
    var stopping: [String] = []

    init() {}

    /// Reads what a store returns. A message that cannot be read is left out, and requested from the server again.
    /// - Parameters:
    ///   - head: the text of `ConversationChange.head` that was stored last.
    ///   - messages: the texts of the messages, by id.
    /// - Throws: `EnvelopeError` where the head cannot be read.
    public init(head: String, messages stored: [String: String]) throws(EnvelopeError) {
        guard let head = try? JSONValue(parsing: head), let ids = Self.texts(head["messages"]),
            let number = head["sequence"]?.integer, let offered = Self.texts(head["offered"]),
            let stopping = Self.texts(head["stopping"])
        else { throw EnvelopeError("The stored conversation cannot be read.") }
        sequence = max(0, number)
        hasOlder = head["has_older"]?.bool ?? false
        self.offered = offered
        self.stopping = stopping
        for id in ids {
            if let json = stored[id], let value = try? JSONValue(parsing: json),
                let message = ChatMessage(stored: value)
            {
                messages.append(message)
            } else {
                sequence = 0
            }
        }
    }

    private static func texts(_ json: JSONValue?) -> [String]? { json?.elements?.compactMap { $0.text } }

    /// The JSON text about the whole conversation.
    var head: String {
        func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        let members: [String: JSONValue] = [
            "sequence": .number(Double(sequence)), "has_older": .bool(hasOlder),
            "messages": list(messages.map { $0.id }), "offered": list(offered), "stopping": list(stopping),
        ]
        return JSONValue.object(members).json
    }
}

/// What a store must write, all of it or nothing.
public struct ConversationChange: Sendable, Equatable {
    public struct Message: Sendable, Equatable {
        public var id: String
        /// The message as JSON; replaces what the store has under this id.
        public var json: String
    }

    /// When, in seconds since 1970 UTC.
    public var time: Double
    /// The whole conversation without its messages' texts, as JSON; replaces the last one.
    public var head: String
    public var written: [Message] = []
    /// Ids of messages that are to be deleted.
    public var removed: [String] = []
    /// Messages that wait for the server, in the conversation as a whole.
    public var waiting: Int
}

extension ChatMessage {
    /// The message as a device keeps it: what a server's history says of one, and what only the client knows.
    var stored: JSONValue {
        var members: [String: JSONValue] = [
            "message_id": .string(id), "role": .string(role.rawValue), "content": .string(text),
            "timestamp": .number(timestamp),
        ]
        switch state {
        case .pending: members["unsent"] = .string("")
        case .failed(let reason) where role == .user: members["unsent"] = .string(reason)
        case .failed(let reason):
            members["end"] = .string(AnswerEnd.failed(reason).name)
            members["reason"] = .string(reason)
        case .streaming: members["end"] = "streaming"
        case .cancelled: members["end"] = .string(AnswerEnd.cancelled.name)
        case .interrupted: members["end"] = .string(AnswerEnd.interrupted.name)
        case .sent, .complete: break
        }
        if let metadata = template?.metadata ?? details.metadata { members["metadata"] = .object(metadata) }
        if let supersededBy { members["superseded_by"] = .string(supersededBy) }
        return .object(members)
    }

    /// Reads what `stored` wrote; `nil` where something is missing.
    init?(stored json: JSONValue) {
        self.init(described: json)
        if let reason = json.text("unsent") { state = reason.isEmpty ? .pending : .failed(reason) }
        supersededBy = json.text("superseded_by")
    }
}
