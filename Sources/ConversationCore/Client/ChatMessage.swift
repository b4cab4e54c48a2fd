public import StreamCore

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
        /// A sentence for the user. A user message can be sent again, an answer requested again.
        case failed(String)

        /// The state of a message that the server did not acknowledge in time; the server may have it none the less.
        public static let unacknowledged = State.failed("The server did not acknowledge the message.")
    }

    public var id: String
    public var role: Role
    public var text: String { didSet { revision &+= 1 } }
    /// Seconds since 1970 UTC.
    public var timestamp: Double
    public internal(set) var state: State { didSet { revision &+= 1 } }
    public var template: Template? {
        get { more.template }
        set {
            more = More(newValue, details)
            revision &+= 1
        }
    }
    /// Of a user message: what it replaces, and what was on the screen.
    public var details: MessageDetails {
        get { more.details }
        set { more = More(template, newValue) }
    }
    /// Beside the message, which is moved around often.
    private var more: More

    private final class More: Sendable, Hashable {
        let template: Template?
        let details: MessageDetails

        init(_ template: Template?, _ details: MessageDetails) {
            self.template = template
            self.details = details
        }

        static func == (one: More, other: More) -> Bool {
            one === other || one.template == other.template && one.details == other.details
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(template)
            hasher.combine(details)
        }
    }

    /// The id of the later message that replaces this one, or one before it: to be folded away. `later` where only the
    /// server knows which.
    public internal(set) var supersededBy: String? { didSet { revision &+= 1 } }
    public var isSuperseded: Bool { supersededBy != nil }
    /// Counts the changes, so that a view sees one without a comparison of texts.
    public private(set) var revision = 0
    /// Counts the changes that replaced the text; all others at most added to it.
    public private(set) var rewrites = 0

    public init(
        id: String, role: Role, text: String, timestamp: Double, state: State = .complete, template: Template? = nil,
        details: MessageDetails = MessageDetails()
    ) {
        self.id = id
        self.role = role
        self.text = text
        self.timestamp = timestamp
        self.state = state
        more = More(template, details)
    }

    public var isStreaming: Bool { state == .streaming }

    /// Whether it must stay in memory however many come after it: its end is still to come.
    var isUnfinished: Bool { state == .streaming || state == .pending }

    /// Whether the server does not have it.
    var isUnsent: Bool {
        switch state {
        case .pending: true
        case .failed: role == .user
        case .sent, .streaming, .complete, .cancelled, .interrupted: false
        }
    }

    /// Whether the user may want to send it again.
    var hasFailedToSend: Bool { if role == .user, case .failed = state { true } else { false } }
}

extension ChatMessage {
    mutating func replaceText(by new: String) {
        guard new != text else { return }
        rewrites += 1
        text = new
    }

    /// Becomes what the server describes. A text that goes on from the one here counts as added to.
    mutating func update(to described: ChatMessage) {
        if described.text.utf8.starts(with: text.utf8) {
            text = described.text
        } else {
            replaceText(by: described.text)
        }
        timestamp = described.timestamp
        state = described.state
        template = described.template
        details = described.details
        supersededBy = described.supersededBy == nil ? nil : supersededBy ?? described.supersededBy
    }

    /// Reads a message as a `sync` and the history describe it; `nil` where something is missing.
    public init?(described json: JSONValue) {
        guard let id = json.text("message_id"), let role = json.text("role").flatMap({ Role(rawValue: $0) }),
            let text = json.text("content"), let timestamp = json["timestamp"]?.number
        else { return nil }
        var state = State.complete
        switch role {
        case .user: state = .sent
        case .system: break
        case .assistant:
            let end = json.text("end") ?? "completed"
            state = end == "streaming" ? .streaming : .init(AnswerEnd(name: end, reason: json.text("reason")))
        }
        self.init(
            id: id, role: role, text: text, timestamp: timestamp, state: state,
            template: role == .system ? json["metadata"]?.members.flatMap { try? Template(metadata: $0) } : nil,
            details: (role == .user ? try? MessageDetails(metadata: json["metadata"]?.members) : nil)
                ?? MessageDetails())
        if json["superseded"]?.bool == true { supersededBy = "later" }
    }
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
