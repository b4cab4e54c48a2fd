public import StreamCore

/// The server's side of one conversation: its log, the answer under way, and every client that is connected.
///
/// A value without IO: what happens goes in with the time (seconds since 1970 UTC, on a clock that does not go back), what
/// is to be done comes out of `drainActions`, and `timerFired` is called at `deadline`.
///
/// Promises, each a property test over random cuts, restarts and cancels:
/// - What a client receives as having happened is on disk: events wait for `persisted`. Text does not wait; a crash loses
///   at most `flushInterval` of it.
/// - A lost connection stops nothing; only `cancel` does, and its answer carries the text that is kept.
/// - A client that comes back goes on where it was, or gets one `sync` with the whole state; nothing comes twice, nothing
///   is left out.
/// - A slow reader loses nothing and costs no memory: its chunks are joined.
public struct ConversationMachine {
    public enum Action: Sendable, Hashable {
        /// Write the entry, in this order, and report `persisted`.
        case persist(ConversationEntry)
        /// Send a text frame, and report `wrote` with its size when the socket has written it.
        case send(ClientNumber, [UInt8])
        /// The same, and directly behind the frame, so that the client receives both or none, a ping of this number. Report
        /// `confirmed` when it is answered. Without bytes it is the ping alone.
        case sendConfirmed(ClientNumber, [UInt8], ping: UInt32)
        /// Close the connection; it is forgotten here.
        case close(ClientNumber, WebSocketCloseCode, reason: String)
        /// Let the model answer, and report its output with `apply`.
        case generate(AnswerRequest)
        /// Stop the model: the rest of this answer is not wanted.
        case stop(answer: String)
    }

    public let id: String
    public let settings: ConversationSettings
    public internal(set) var transcript: Transcript
    /// Entries up to this one are on disk.
    var durable = 0
    /// Events up to this one are, and may be sent.
    var visible = 0
    var clients: [ConversationClient] = []
    /// Clients of the original protocol that may come back, in the order in which they left. Whoever makes this value again
    /// from its log, and nothing was lost since, hands them over.
    public var departed: [DepartedClient] = []
    /// The number of the last ping.
    var pings: UInt32 = 0
    /// How many events there were when this value was made from a log.
    private(set) var restoredEvents = 0
    /// The answer under way, and what of its text is in no entry yet.
    var unwritten = ""
    var flushAt = Double.infinity
    var silentAt = Double.infinity
    /// Of the answer under way: how many templates it has made, and why others could not be made.
    var made = 0
    var refusals = CardRefusals()
    /// The last chunk that was encoded, for the next client at the same place.
    var encoded: (message: Int, from: Int, to: Int, frame: [UInt8])?
    private var actions: [Action] = []
    public internal(set) var counts = Counts()

    public struct Counts: Sendable, Hashable {
        public var duplicates = 0
        public var refused = 0
        public var malformed = 0
        public var resumed = 0
        public var synced = 0
        public var framesOut = 0
        public var toolCallsRefused = 0

        public init() {}
    }

    /// A new conversation.
    /// - Parameter kind: the consultation type.
    public init(id: String, user: String, kind: String, settings: ConversationSettings = .init(), now: Double) {
        self.id = id
        self.settings = settings
        transcript = Transcript()
        record(.opened(user: user, kind: kind), now: now)
    }

    /// A conversation as its log has it, after a restart. An answer that was under way is marked as interrupted, and
    /// messages without an answer are answered now.
    /// - Throws: `TranscriptError` where the log has a hole.
    public init(
        id: String, restoring entries: some Sequence<ConversationEntry>, settings: ConversationSettings = .init(),
        now: Double
    ) throws(TranscriptError) {
        self.init(id: id, restoring: try Transcript(entries), settings: settings, now: now)
    }

    /// The same of a log that was read already, which is slow for a long one.
    public init(id: String, restoring transcript: Transcript, settings: ConversationSettings = .init(), now: Double) {
        self.id = id
        self.settings = settings
        self.transcript = transcript
        durable = transcript.lastEntry
        visible = transcript.events.count
        interrupt(now: now)
        restoredEvents = self.transcript.events.count
        answerNext(now: now)
    }

    /// Removes and returns the actions, to be performed in this order.
    public mutating func drainActions() -> [Action] {
        defer { actions = [] }
        return actions
    }

    mutating func act(_ action: Action) { actions.append(action) }

    public var user: String { transcript.user }
    public var isAnswering: Bool { transcript.streaming != nil }
    public var clientCount: Int { clients.count }

    /// When `timerFired` is to be called; `nil`: not at all.
    public var deadline: Double? {
        var earliest = min(flushAt, silentAt)
        for client in clients {
            if let original = client.original {
                earliest = min(earliest, original.deadline(pongTime: settings.pongTime))
            }
        }
        return earliest == .infinity ? nil : earliest
    }

    public mutating func timerFired(now: Double) {
        endWaiting(now: now)
        if now >= flushAt { flush(now: now) }
        if now >= silentAt { fail("The model said nothing for \(Int(settings.silence)) seconds.", now: now) }
        pump(now: now)
    }

    // MARK: The log

    /// Adds an entry that this machine made, and that therefore fits.
    mutating func record(_ event: ConversationEvent, now: Double) {
        let entry = ConversationEntry(number: transcript.lastEntry + 1, time: now, event: event)
        do {
            try transcript.apply(entry)
            act(.persist(entry))
        } catch {
            assertionFailure(error.description)
        }
    }

    /// The store has written every entry up to this one.
    public mutating func persisted(through entry: Int, now: Double) {
        durable = max(durable, min(entry, transcript.lastEntry))
        while visible < transcript.events.count, transcript.events[visible].entry <= durable { visible += 1 }
        answerNext(now: now)
        pump(now: now)
    }

    /// The store cannot write: nothing that follows could be kept. Every client is sent away to come back, and the owner
    /// lets this value go and restores another one from what is on disk.
    public mutating func storeFailed() {
        if let streaming = transcript.streaming { act(.stop(answer: transcript.messages[streaming].id)) }
        for client in clients { act(.close(client.number, .tryAgainLater, reason: "the store failed")) }
        clients = []
        flushAt = .infinity
        silentAt = .infinity
    }

    /// The server stops: what there is of the answer is written and marked.
    public mutating func shutDown(now: Double) {
        if let streaming = transcript.streaming { act(.stop(answer: transcript.messages[streaming].id)) }
        interrupt(now: now)
        for client in clients { act(.close(client.number, .goingAway, reason: "the server stops")) }
        clients = []
    }

    /// The conversation is deleted: nothing more is written.
    public mutating func closeDeleted(_ code: WebSocketCloseCode, reason: String) {
        if let streaming = transcript.streaming { act(.stop(answer: transcript.messages[streaming].id)) }
        for client in clients { act(.close(client.number, code, reason: reason)) }
        clients = []
        flushAt = .infinity
        silentAt = .infinity
    }
}
