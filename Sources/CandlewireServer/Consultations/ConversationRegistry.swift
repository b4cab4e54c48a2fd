import Consultation
import HistoryStore
import Logging
import NIOCore
import StreamCore
import Tracing

/// The conversations that have clients or are being answered: machines in memory, made from their logs when a client comes
/// and removed when they are idle.
///
/// Confined to one event loop, on which nothing else runs. Everything comes through the mailbox and leaves through the
/// outbox in batches, so that what a turn costs is shared by all conversations that have something to say in it.
final class ConversationRegistry {
    /// Seconds between two looks at what the machines have to do by the clock.
    private static let tick = 0.05

    let options: ConsultationOptions
    let store: ConversationStore
    let index: ConsultationIndex
    let model: any LanguageModel
    let mailbox: ConsultationMailbox
    let logger: Logger
    let clock: @Sendable () -> Double
    private let loop: any EventLoop
    var outbox: ConsultationOutbox
    let limiter: ClientLimiter
    private(set) var conversations: [String: OpenConversation] = [:]
    /// Those whose machines wait for the clock.
    private var timed: [String: OpenConversation] = [:]
    var sockets: [ClientNumber: AttachedSocket] = [:]
    /// Answers under way, by their id.
    var answers: [String: RunningAnswer] = [:]
    /// How many of them each user has.
    var answersOf: [UserKey: Int] = [:]
    /// How many may be under way; `nil`: however many.
    let maxAnswers: Int?
    /// `nil`: answers are not traced.
    var tracer: (any Tracer)?
    /// How long the model needed for those that are over.
    var models = ModelCounts()
    /// Runs of the model so far.
    var lastRun = 0
    private(set) var loading: [String: [(Result<OpenConversation, APIError>) -> Void]] = [:]
    /// Order proposals that are being decided at this moment, by their template's id.
    var deciding: Set<String> = []
    /// The tokens that the models report to have used, since the start.
    private(set) var usage = (input: 0, output: 0)
    /// Conversations that are being deleted.
    var deleting: Set<String> = []
    /// Conversations of which is being looked whether they are to be deleted for their age.
    var expiring: Set<String> = []
    /// Clients that may come back to conversations which are not in memory.
    var departed: [String: [DepartedClient]] = [:]
    private var lastSerial = 0
    private var isTicking = false
    private(set) var isStopped = false
    /// Of conversations that are not in memory any more.
    private var past = ConversationMachine.Counts()

    struct AttachedSocket {
        var socket: ConsultationSocket
        /// Frames that came while the conversation was read from the disk; `nil` once it is there.
        var early: [[UInt8]]? = []
    }

    struct RunningAnswer {
        var run: Int
        var user: UserKey
        var task: Task<Void, Never>
        var startedAt: Double
        /// Whether anything of it has come.
        var hasBegun = false
        /// Whether its end has come.
        var isOver = false
        var span: (any Span)?
    }

    /// - Parameter isShared: users may choose any name.
    init(
        options: ConsultationOptions, limiter: ClientLimiter, isShared: Bool, store: ConversationStore,
        index: ConsultationIndex,
        model: any LanguageModel, mailbox: ConsultationMailbox, loop: any EventLoop, outbox: ConsultationOutbox,
        clock: @escaping @Sendable () -> Double, logger: Logger
    ) {
        self.options = options
        self.limiter = limiter
        self.store = store
        self.index = index
        self.model = model
        self.mailbox = mailbox
        self.loop = loop
        self.outbox = outbox
        self.clock = clock
        self.logger = logger
        maxAnswers = isShared ? options.all(options.answersPerUser) : nil
    }

    // MARK: Turns

    func handle(_ items: [ConsultationMailboxItem]) {
        let now = clock()
        for item in items { handle(item, now) }
        finishTurn(now)
    }

    private func handle(_ item: ConsultationMailboxItem, _ now: Double) {
        if isStopped, !item.isForTheEnd { return }
        switch item {
        case .model(let event, let run, let answer, let id): receiveModelEvent(event, run, answer, id, now)
        case .received(let number, let bytes): received(bytes, from: number, now)
        case .wrote(let number, let bytes): update(number, now) { $0.wrote(number, bytes: bytes, now: now) }
        case .confirmed(let number, let ping): update(number, now) { $0.confirmed(number, ping: ping, now: now) }
        case .stored(let id, let serial, let entry, let result): stored(id, serial, entry, result, now)
        case .attach(let socket): attach(socket, now)
        case .detach(let number, let isFinal): detach(number, isFinal: isFinal, now)
        case .loaded(let id, let result): loaded(id, result, now)
        case .request(let body): body(self)
        }
    }

    /// Changes the conversation of a socket, unless one of them is gone.
    private func update(_ number: ClientNumber, _ now: Double, _ change: (inout ConversationMachine) -> Void) {
        guard let id = sockets[number]?.socket.conversation, let conversation = conversations[id] else { return }
        change(&conversation.machine)
        performActions(of: conversation, now)
    }

    private func finishTurn(_ now: Double) {
        outbox.send()
        guard !isTicking, !timed.isEmpty else { return }
        isTicking = true
        loop.assumeIsolated().scheduleTask(in: .clamped(seconds: Self.tick)) {
            self.isTicking = false
            self.timePassed()
        }
    }

    private func timePassed() {
        let now = clock()
        for conversation in timed.values where (conversation.machine.deadline ?? .infinity) <= now {
            conversation.machine.timerFired(now: now)
            performActions(of: conversation, now)
        }
        finishTurn(now)
    }

    // MARK: What machines want

    /// Does what a machine requests. Every call of a machine is followed by one of this.
    func performActions(of conversation: OpenConversation, _ now: Double) {
        var entries: [ConversationEntry] = []
        while true {
            let actions = conversation.machine.drainActions()
            if actions.isEmpty { break }
            for action in actions {
                switch action {
                case .send(let number, let frame):
                    if let socket = sockets[number]?.socket { outbox.add(.frame(frame), to: socket) }
                case .sendConfirmed(let number, let frame, let ping):
                    if let socket = sockets[number]?.socket {
                        outbox.add(.confirmedFrame(frame, ping: ping), to: socket)
                    }
                case .persist(let entry): entries.append(entry)
                case .close(let number, let code, let reason):
                    if let socket = sockets.removeValue(forKey: number)?.socket {
                        outbox.add(.close(code, reason), to: socket)
                    }
                case .generate(let request): generate(request, in: conversation, now)
                case .stop(let answer): stop(answer)
                }
            }
        }
        conversation.usedAt = now
        if !entries.isEmpty { write(entries, of: conversation) }
        // Only what changes: this is done for every word that a model says.
        let isTimed = conversation.machine.deadline != nil && !conversation.isGone
        guard isTimed != conversation.isTimed else { return }
        conversation.isTimed = isTimed
        timed[conversation.machine.id] = isTimed ? conversation : nil
    }

    private func write(_ entries: [ConversationEntry], of conversation: OpenConversation) {
        let (mailbox, id, serial) = (mailbox, conversation.machine.id, conversation.serial)
        let last = entries.last?.number ?? 0
        store.append(ConversationAppend(id, entries)) { result in
            mailbox.put(.stored(conversation: id, serial: serial, through: last, result))
        }
    }

    private func stored(_ id: String, _ serial: Int, _ entry: Int, _ result: Result<Void, StoreError>, _ now: Double) {
        guard let conversation = conversations[id], conversation.serial == serial else { return }
        switch result {
        case .success:
            conversation.machine.persisted(through: entry, now: now)
            performActions(of: conversation, now)
            conversation.markStored(through: entry)
        case .failure(let error):
            // What was not written did not happen: the next client gets what is on disk.
            logger.error("a conversation cannot be written", metadata: ["error": "\(error)"])
            conversation.machine.storeFailed()
            performActions(of: conversation, now)
            forget(conversation)
            conversation.fail()
        }
    }

    // MARK: Coming and going

    /// - Parameter stored: the entries that are on disk; 0: the conversation begins now.
    func add(_ machine: ConversationMachine, stored: Int, _ now: Double) -> OpenConversation {
        lastSerial += 1
        let conversation = OpenConversation(machine, serial: lastSerial, stored: stored, now: now)
        conversations[machine.id] = conversation
        return conversation
    }

    /// Gives a conversation to `body`, at once where it is in memory.
    func with(_ id: String, _ body: @escaping (Result<OpenConversation, APIError>) -> Void) {
        guard !isStopped else { return body(.failure(.consultationsUnavailable)) }
        guard index.owner(of: id) != nil, !deleting.contains(id) else {
            return body(.failure(.unknownConsultation(id)))
        }
        guard !expiring.contains(id) else { return body(.failure(.consultationsUnavailable)) }
        if let conversation = conversations[id] { return body(.success(conversation)) }
        loading[id, default: []].append(body)
        guard loading[id]?.count == 1 else { return }
        let (store, mailbox) = (store, mailbox)
        Task {
            // Not on the loop: a long one needs time.
            let result = await Result.of { try Transcript(try await store.records(of: id).map { try $0.entry() }) }
            mailbox.put(.loaded(conversation: id, result))
        }
    }

    private func loaded(_ id: String, _ result: Result<Transcript, any Error>, _ now: Double) {
        let waiting = loading.removeValue(forKey: id) ?? []
        let outcome = Result { () throws(APIError) in
            let transcript: Transcript
            switch result {
            case .success(let read): transcript = read
            case .failure(let error):
                logger.error("a conversation cannot be read", metadata: ["error": "\(error)"])
                throw .consultationsUnavailable
            }
            guard !isStopped else { throw .consultationsUnavailable }
            // What was read may have been deleted since.
            guard transcript.lastEntry > 0, !deleting.contains(id), index.owner(of: id) != nil else {
                throw .unknownConsultation(id)
            }
            var machine = ConversationMachine(
                id: id, restoring: transcript, settings: options.settings(ofType: transcript.kind),
                now: now)
            machine.departed = departed.removeValue(forKey: id) ?? []
            let conversation = add(machine, stored: transcript.lastEntry, now)
            performActions(of: conversation, now)
            return conversation
        }
        for body in waiting { body(outcome) }
    }

    func forget(_ conversation: OpenConversation) {
        let id = conversation.machine.id
        guard conversations[id] === conversation else { return }
        conversations[id] = nil
        timed[id] = nil
        conversation.isGone = true
        conversation.isTimed = false
        past.add(conversation.machine.counts)
    }

    /// Whether an answer is under way in each of these.
    func answering(_ ids: [String]) -> [Bool] { ids.map { conversations[$0]?.machine.isAnswering ?? false } }

    /// The server stops: answers under way are marked as interrupted, and nothing is accepted any more.
    func stop() {
        let now = clock()
        isStopped = true
        for conversation in conversations.values {
            conversation.machine.shutDown(now: now)
            performActions(of: conversation, now)
        }
        timed = [:]
        outbox.send()
    }

    // MARK: Counting

    func count(_ used: ModelUsage) {
        // Numbers of another server: they may overflow.
        usage.input = usage.input.addingReportingOverflow(max(0, used.inputTokens ?? 0)).partialValue
        usage.output = usage.output.addingReportingOverflow(max(0, used.outputTokens ?? 0)).partialValue
    }

    /// For `/health`.
    func health() -> ConsultationHealth.Present {
        ConsultationHealth.Present(
            inMemory: conversations.count, answers: answers.count, inputTokens: usage.input, outputTokens: usage.output,
            counts: counts, models: models)
    }

    var counts: ConversationMachine.Counts {
        var sum = past
        for conversation in conversations.values { sum.add(conversation.machine.counts) }
        return sum
    }
}
