#if DEBUG
    import Synchronization
#endif

/// A conversation as its log says it is. Applying the same entries gives the same transcript, to the last byte.
public struct Transcript: Sendable, Hashable {
    public struct Message: Sendable, Hashable, Identifiable {
        public var id: String
        public var role: Role
        public var text: String
        /// Seconds since 1970 UTC.
        public var time: Double
        /// Of an answer: how it ended; `nil` while it goes on. User and system messages are complete at once.
        public var end: AnswerEnd?
        /// Of an answer: the last user message that it answers.
        public var replyTo: String?
        public var template: Template?
        /// Of a user message: what it replaces, and what was on the screen.
        public var details = MessageDetails()
        /// Of an answer: what the model reports to have used.
        public var usage: ModelUsage?
        /// The id of the message that replaces this one, or one before it: it is kept, and no model is given it.
        public var supersededBy: String?

        public var isSuperseded: Bool { supersededBy != nil }
        public var isStreaming: Bool { role == .assistant && end == nil }
    }

    /// What clients are sent, in this order; the first has the sequence number 1. Text is not among them: it has offsets.
    struct Event: Sendable, Hashable {
        enum Kind: Sendable, Hashable { case userMessage, answerStarted, template, answerEnded, decided }

        var kind: Kind
        var entry: Int
        /// Index of the message.
        var message: Int
        var time: Double
    }

    /// Where the events of a message are among `events`, so that what clients may know of it is one comparison each.
    struct Places: Sendable, Hashable {
        /// The event that began it.
        var beginning: Int
        /// Of an answer: the one of its end.
        var end: Int?
        /// Of a proposal: the one of the decision.
        var decision: Int?
        /// Of a user message: the index of its latest answer.
        var answer: Int?
    }

    public private(set) var user = ""
    /// The consultation type.
    public private(set) var kind = ""
    /// When the conversation began, seconds since 1970 UTC.
    public private(set) var openedAt = 0.0
    public private(set) var messages: [Message] = []
    /// The number of the last entry.
    public private(set) var lastEntry = 0
    private(set) var events = TranscriptEvents()
    /// Of each message.
    private(set) var places: [Places] = []
    private(set) var indexes: [String: Int] = [:]
    /// Indexes of the messages with order proposals, by the template's id.
    private var proposals: [String: Int] = [:]
    /// Index of the answer under way; at most one at a time.
    private(set) var streaming: Int?
    /// User messages from here on have no answer.
    private(set) var unansweredFrom = 0

    public init() {}

    /// The conversation that these entries make.
    /// - Throws: `TranscriptError` that names the entry which does not fit.
    public init(_ entries: some Sequence<ConversationEntry>) throws(TranscriptError) {
        for entry in entries { try apply(entry) }
    }

    public func message(_ id: String) -> Message? { indexes[id].map { messages[$0] } }

    /// The last user message without an answer.
    var unanswered: Message? {
        messages[min(unansweredFrom, messages.count)...].last { $0.role == .user && !$0.isSuperseded }
    }

    /// How many user messages wait for an answer.
    var waiting: Int {
        messages[min(unansweredFrom, messages.count)...].count { $0.role == .user && !$0.isSuperseded }
    }

    /// The message with an order proposal, by the template's id.
    func proposal(_ template: String) -> Int? { proposals[template] }

    // MARK: Changes

    /// - Throws: `TranscriptError` where the entry does not follow what is there; then nothing changed.
    public mutating func apply(_ entry: ConversationEntry) throws(TranscriptError) {
        guard entry.number == lastEntry + 1 else { throw TranscriptError(entry, "entry \(lastEntry + 1) was to come") }
        switch entry.event {
        case .opened(let user, let kind):
            guard lastEntry == 0 else { throw TranscriptError(entry, "the conversation was opened before") }
            self.user = user
            self.kind = kind
            openedAt = entry.time
        case .userMessage(let id, let text, let details):
            if let edited = details.edits, message(edited)?.role != .user {
                throw TranscriptError(entry, "it replaces \(edited), which is no user message")
            }
            try add(
                Message(id: id, role: .user, text: text, time: entry.time, details: details), .userMessage, entry)
            if let edited = details.edits { supersede(from: edited) }
        case .answerStarted(let id, let replyTo):
            guard streaming == nil else { throw TranscriptError(entry, "another answer is under way") }
            guard let question = message(replyTo), question.role == .user else {
                throw TranscriptError(entry, "it answers \(replyTo), which is no user message")
            }
            try add(
                Message(id: id, role: .assistant, text: "", time: entry.time, replyTo: replyTo), .answerStarted, entry)
            streaming = messages.count - 1
            unansweredFrom = messages.count
            if let question = indexes[replyTo] { places[question].answer = streaming }
        case .answerText(let id, let text):
            let index = try answer(id, entry)
            messages[index].text += text
        case .template(let id, let template):
            guard streaming != nil else { throw TranscriptError(entry, "no answer is under way") }
            try add(
                Message(id: id, role: .system, text: template.announcement, time: entry.time, template: template),
                .template, entry)
            if template.kind == .orderProposal { proposals[template.id] = messages.count - 1 }
        case .answerEnded(let id, let end, let usage):
            let index = try answer(id, entry)
            messages[index].end = end
            messages[index].usage = usage
            streaming = nil
            places[index].end = events.count
            events.append(Event(kind: .answerEnded, entry: entry.number, message: index, time: entry.time))
        case .decided(let template, let decision):
            guard let index = proposal(template), messages[index].template?.decision == nil else {
                throw TranscriptError(entry, "\(template) is no open proposal")
            }
            messages[index].template?.decision = decision
            places[index].decision = events.count
            events.append(Event(kind: .decided, entry: entry.number, message: index, time: entry.time))
        }
        lastEntry = entry.number
    }

    private mutating func add(_ message: Message, _ kind: Event.Kind, _ entry: ConversationEntry)
        throws(TranscriptError)
    {
        guard lastEntry > 0 else { throw TranscriptError(entry, "the conversation was not opened") }
        guard indexes[message.id] == nil else { throw TranscriptError(entry, "\(message.id) was there before") }
        indexes[message.id] = messages.count
        places.append(Places(beginning: events.count))
        events.append(Event(kind: kind, entry: entry.number, message: messages.count, time: entry.time))
        messages.append(message)
    }

    /// The message and everything after it, but the last one, which replaces them.
    private mutating func supersede(from id: String) {
        guard let start = indexes[id] else { return }
        let last = messages.count - 1
        for index in start..<last where messages[index].supersededBy == nil {
            messages[index].supersededBy = messages[last].id
        }
    }

    private func answer(_ id: String, _ entry: ConversationEntry) throws(TranscriptError) -> Int {
        guard let streaming, messages[streaming].id == id else {
            throw TranscriptError(entry, "the answer \(id) is not under way")
        }
        return streaming
    }

    /// Text that is shown before it is on disk; `countWritten` follows with the entry that has it.
    mutating func appendAhead(_ text: String) {
        if let streaming { messages[streaming].text += text }
    }

    /// Counts the entry with the text of `appendAhead`.
    mutating func countWritten(_ entry: ConversationEntry) { lastEntry = entry.number }
}

/// Why a log makes no conversation.
public struct TranscriptError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The entry that does not fit.
    public var entry: Int
    public var description: String

    init(_ entry: ConversationEntry, _ what: String) {
        self.entry = entry.number
        description = "The conversation's log does not fit together at entry \(entry.number) (\(entry.kind)): \(what)."
    }
}

/// The events of a transcript, which are only ever added to.
struct TranscriptEvents: RandomAccessCollection, Sendable, Hashable {
    private var events: [Transcript.Event] = []

    var startIndex: Int { 0 }
    var endIndex: Int { events.count }

    subscript(position: Int) -> Transcript.Event {
        #if DEBUG
            ReadCounter.current?.reads.add(1, ordering: .relaxed)
        #endif
        return events[position]
    }

    mutating func append(_ event: Transcript.Event) { events.append(event) }
}

#if DEBUG
    /// Counts how often an event is looked at, for tests of what a long conversation costs.
    final class ReadCounter: Sendable {
        @TaskLocal static var current: ReadCounter?
        let reads = Atomic<Int>(0)
    }
#endif
