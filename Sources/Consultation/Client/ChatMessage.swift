/// A message as a chat shows it.
public struct ChatMessage: Sendable, Hashable, Identifiable {
    /// Where a message stands. Each has its own: there is no flag that one answer could leave behind for another.
    ///
    /// ```
    /// user:       pending --> sent            assistant:  streaming --> complete, cancelled,
    ///               |  ^                                                interrupted, failed
    ///               v  | retry
    ///             failed
    /// ```
    public enum State: Sendable, Hashable {
        /// Shown, and not yet acknowledged by the server.
        case pending
        case sent
        /// More text comes.
        case streaming
        case complete
        /// The user stopped it; what there was is kept.
        case cancelled
        /// The server stopped meanwhile; what there was is kept.
        case interrupted
        /// A sentence for the user. A user message can be sent again, an answer asked for again.
        case failed(String)

        /// The state of a message that the server said nothing to in time: it may have it none the less.
        public static let unacknowledged = State.failed(silence)
        static let silence = "The server did not acknowledge the message."
    }

    public var id: String
    public var role: Role
    public var text: String
    /// Seconds since 1970 UTC.
    public var timestamp: Double
    public internal(set) var state: State
    public var template: Template?
    /// Of a user message: what it replaces, and what was on the screen.
    public var details: MessageDetails
    /// A later message replaces this one, or one before it: to be folded away.
    public internal(set) var isSuperseded = false

    public init(
        id: String, role: Role, text: String, timestamp: Double, state: State = .complete, template: Template? = nil,
        details: MessageDetails = MessageDetails()
    ) {
        self.id = id
        self.role = role
        self.text = text
        self.timestamp = timestamp
        self.state = state
        self.template = template
        self.details = details
    }

    public var isStreaming: Bool { state == .streaming }

    /// Whether it must stay in memory however many come after it: somebody waits for what becomes of it.
    var isUnsettled: Bool { state == .streaming || state == .pending }

    /// Whether the user may want to send it again.
    var hasFailedToSend: Bool { if role == .user, case .failed = state { true } else { false } }
}

extension ChatMessage.State {
    init(_ end: AnswerEnd) {
        self =
            switch end {
            case .completed: .complete
            case .cancelled: .cancelled
            case .interrupted: .interrupted
            case .failed(let reason): .failed(reason)
            }
    }
}
