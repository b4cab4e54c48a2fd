/// One thing that happened in a conversation, as it is written to disk. The conversation is what its entries say.
public struct ConversationEntry: Sendable, Hashable {
    /// From 1, without holes.
    public var number: Int
    /// Seconds since 1970 UTC.
    public var time: Double
    public var event: ConversationEvent

    public init(number: Int, time: Double, event: ConversationEvent) {
        self.number = number
        self.time = time
        self.event = event
    }
}

public enum ConversationEvent: Sendable, Hashable {
    /// Always the first, and only the first.
    /// - Parameter kind: the consultation type, for example `nutrition`.
    case opened(user: String, kind: String)
    /// - Parameter id: chosen by the client, so that sending again is no second message.
    case userMessage(id: String, text: String, MessageDetails = .init())
    /// An answer to this message and to those before it that have none.
    case answerStarted(id: String, replyTo: String)
    /// Text that follows what the answer has. Several chunks together: see `ConversationSettings.flushInterval`.
    case answerText(id: String, text: String)
    /// The assistant made something. A line of its own in the conversation.
    case template(id: String, Template)
    case answerEnded(id: String, AnswerEnd, ModelUsage? = nil)
    /// The user decided about an order proposal, which is named by its template's id.
    case decided(template: String, ProposalDecision)
}

/// How an answer ended. Whatever of it was there is kept.
public enum AnswerEnd: Sendable, Hashable {
    case completed
    /// The user stopped it.
    case cancelled
    /// The server stopped or died meanwhile.
    case interrupted
    /// The model failed; a sentence for the user.
    case failed(String)

    /// As it stands in `metadata.end`.
    public var name: String {
        switch self {
        case .completed: "completed"
        case .cancelled: "cancelled"
        case .interrupted: "interrupted"
        case .failed: "failed"
        }
    }

    public var reason: String? { if case .failed(let reason) = self { reason } else { nil } }

    /// A word of a later version counts as interrupted: the answer is over, and perhaps not whole.
    public init(name: String, reason: String?) {
        switch name {
        case "completed": self = .completed
        case "cancelled": self = .cancelled
        case "failed": self = .failed(reason ?? "Unknown error")
        default: self = .interrupted
        }
    }
}
