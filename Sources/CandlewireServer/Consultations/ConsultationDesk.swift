import Consultation
import Foundation
import HTTPTypes
import HistoryStore
import Logging
import NIOCore
import StreamCore

/// The conversations, seen from request handlers and connections: everything goes to their event loop by mail, and comes
/// back when it is on disk.
struct ConsultationDesk: Sendable {
    let options: ConsultationOptions
    let access: ConsultationAccess
    let store: ConversationStore
    /// Where approved proposals are traded.
    let trading: TradingGateway
    let index: ConsultationIndex
    let mailbox: ConsultationMailbox
    let counts = ConsultationCounts()
    private let readings: ReadingAllowances
    /// Seconds since 1970 UTC, on a clock that does not go back.
    let clock: @Sendable () -> Double
    /// Who answers, for people.
    let modelName: String
    /// The event loops that connections live on.
    let loops: [any EventLoop]
    /// Seconds that a client has for its token.
    let tokenTime = 10.0
    /// Bytes that a socket has written, from which on that is reported to the conversation.
    var writtenReportSize: Int { max(1, options.conversation.window / 4) }
    private let loop: any EventLoop
    /// When something was last written in any conversation before this start, seconds since 1970 UTC.
    private let newestAtStart: Double?

    /// - Parameters:
    ///   - loop: the conversations' own.
    ///   - loops: those of the connections.
    init(
        options: ConsultationOptions, access: ConsultationAccess, limiter: ClientLimiter, store: ConversationStore,
        model: any LanguageModel, trading: TradingGateway, loop: any EventLoop, loops: [any EventLoop], logger: Logger
    ) async throws {
        self.options = options
        self.access = access
        self.store = store
        self.trading = trading
        self.loop = loop
        self.loops = loops
        readings = ReadingAllowances(options, isShared: access.acceptsAnyName)
        modelName = model.name
        let start = (wall: WallClock.now(), uptime: NIODeadline.now())
        clock = { start.wall + Double((NIODeadline.now() - start.uptime).nanoseconds) / 1e9 }
        index = ConsultationIndex(try await store.owners())
        newestAtStart = try await store.newest()
        mailbox = ConsultationMailbox(loop: loop)
        let (index, mailbox, clock) = (index, mailbox, clock)
        try await loop.submit {
            mailbox.open(
                ConversationRegistry(
                    options: options, limiter: limiter, isShared: access.acceptsAnyName, store: store, index: index,
                    model: model,
                    mailbox: mailbox, loop: loop,
                    outbox: ConsultationOutbox(loops), clock: clock, logger: logger))
        }.get()
        let interval = TimeAmount.clamped(seconds: max(1, options.idleTime / 2))
        loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            mailbox.put(.request { $0.sweep() })
        }
        loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .hours(1)) { [self] _ in
            Task { await expire(logger) }
        }
    }

    /// Runs `body` on the conversations' loop.
    func run<R: Sendable>(
        _ body: @escaping @Sendable (ConversationRegistry, EventLoopPromise<R>) -> Void
    ) async throws -> R {
        let promise = loop.makePromise(of: R.self)
        mailbox.put(.request { body($0, promise) })
        return try await promise.futureResult.get()
    }

    /// Runs `body` there with a conversation.
    func run<R: Sendable>(
        with id: String,
        _ body: @escaping @Sendable (ConversationRegistry, OpenConversation) throws(APIError) -> R
    ) async throws -> R {
        try await run { registry, promise in
            registry.with(id) { result in
                promise.completeWith(Result { try body(registry, try result.get()) })
            }
        }
    }

    /// Whether the user may open a conversation.
    /// - Throws: 404 and 403.
    func check(_ id: String, _ user: ConsultationUser) throws(APIError) {
        guard let owner = index.owner(of: id) else { throw .unknownConsultation(id) }
        guard user.mayOpen(conversationOf: owner) else { throw .foreignConsultation }
    }

    /// Uses one of the user's permissions to read.
    /// - Throws: 429.
    func allow(_ reading: ReadingAllowances.Reading, _ user: ConsultationUser) throws(APIError) {
        try readings.use(reading, user.id, now: clock())
    }

    // MARK: Conversations

    /// Begins a conversation.
    /// - Parameters:
    ///   - user: whose it is.
    ///   - client: whose limits count.
    ///   - kind: the consultation type.
    ///   - text: the first message, whose answer is under way when this returns.
    func start(
        user: String, client: ClientLimits.Client, kind: String, text: String?
    ) async throws -> ConsultationDocument {
        let id = UUID().uuidString.lowercased()
        let total = access.acceptsAnyName ? options.all(options.conversationsPerUser) : nil
        if let limit = index.add(id, of: user, limit: options.conversationsPerUser, total: total) {
            throw APIError(
                .conflict, "too_many_consultations", "There are \(limit) consultations already; delete some.")
        }
        do {
            try await run { (registry, promise: EventLoopPromise<Void>) in
                guard !registry.isStopped else { return promise.fail(APIError.consultationsUnavailable) }
                let now = registry.clock()
                var questions = QuestionAllowances(registry.limiter, client)
                var machine = ConversationMachine(
                    id: id, user: user, kind: kind, settings: options.settings(ofType: kind), now: now)
                let refusal =
                    if let text {
                        machine.submit(
                            text, id: UUID().uuidString.lowercased(), allowances: &questions, now: now)
                    } else {
                        questions.refusal(of: user, now: now)
                    }
                if let refusal { return promise.fail(questions.refused ?? APIError(refusal)) }
                let conversation = registry.add(machine, stored: 0, now)
                registry.performActions(of: conversation, now)
                conversation.afterStoring(promise)
            }
        } catch {
            index.remove(id)
            throw error
        }
        return try await summary(id)
    }

    func summary(_ id: String) async throws -> ConsultationDocument {
        guard let summary = try await reading({ try await store.summary(of: id) }) else {
            throw APIError.unknownConsultation(id)
        }
        return try await documents([summary])[0]
    }

    /// - Returns: the newest `limit` conversations before another one, and whether there are older ones.
    func list(
        user: ConsultationUser, kind: String?, before: String?, limit: Int
    ) async throws -> (consultations: [ConsultationDocument], more: Bool) {
        let found = try await reading {
            try await store.summaries(
                user: user.seesAll ? nil : user.id, without: ConversationOwner.separator, kind: kind, before: before,
                limit: limit + 1)
        }
        return (try await documents(Array(found.prefix(limit))), found.count > limit)
    }

    private func documents(_ summaries: [ConversationSummary]) async throws -> [ConsultationDocument] {
        let ids = summaries.map(\.id)
        let answering = try await run { (registry, promise: EventLoopPromise<[Bool]>) in
            promise.succeed(registry.answering(ids))
        }
        return zip(summaries, answering).map { ConsultationDocument(summary: $0, isAnswering: $1) }
    }

    /// - Returns: the newest `limit` messages before another one, oldest first, and whether there are older ones.
    func messages(_ id: String, before: String?, limit: Int) async throws -> (messages: [JSONValue], more: Bool) {
        let history = try await history(of: id)
        // Here and not on the conversations' loop, where others wait.
        guard let page = history.messages(before: before, limit: limit) else {
            throw APIError.invalid("before", "Parameter \"before\" must be a message of this consultation.")
        }
        return page
    }

    /// A card of a conversation, as it stands in `metadata`.
    func template(_ template: String, of id: String) async throws -> [String: JSONValue] {
        let history = try await history(of: id)
        guard let found = history.template(template) else {
            throw APIError(
                .notFound, "unknown_template",
                "This consultation has no template \"\(template.prefix(80))\"; see /consultations/\(id)/messages.",
                field: "template_id")
        }
        return found
    }

    private func history(of id: String) async throws -> ConversationHistory {
        try await run(with: id) { registry, conversation in
            conversation.usedAt = registry.clock()
            return conversation.machine.history
        }
    }

    /// Deletes a conversation. Its clients are disconnected, and do not come back.
    func delete(_ id: String) async throws {
        try await run { (registry, promise: EventLoopPromise<Void>) in
            registry.delete(id) { result in
                promise.completeWith(result.mapError { _ in APIError.consultationsUnavailable as any Error })
            }
        }
    }

    // MARK: The rest

    /// Deletes what is older than conversations are kept.
    private func expire(_ logger: Logger) async {
        guard options.retentionDays > 0 else { return }
        let now = clock()
        let limit = now - options.retentionDays * 86_400
        if let newestAtStart, newestAtStart < limit {
            // A clock that is wrong by that much would delete them all. With a newer one the next start knows better.
            return logger.warning(
                "all conversations are older than they are kept: the clock may be wrong, so none is deleted",
                metadata: ["newest_days_ago": "\(Int((now - newestAtStart) / 86_400))"])
        }
        do {
            for id in try await store.quiet(since: limit, limit: 1_000) {
                _ = try await run { (registry, promise: EventLoopPromise<Bool>) in
                    registry.expire(id, since: limit) { promise.completeWith($0) }
                }
            }
        } catch {
            logger.error("old conversations cannot be deleted", metadata: ["error": "\(error)"])
        }
    }

    private func reading<R>(_ body: () async throws -> R) async throws -> R {
        do { return try await body() } catch is StoreError { throw APIError.consultationsUnavailable }
    }

    /// Writes what there is of the answers under way, and closes the store.
    func stop() async throws {
        try await run { (registry, promise: EventLoopPromise<Void>) in
            registry.stop()
            promise.succeed()
        }
        try store.close()
    }
}

extension APIError {
    static func unknownConsultation(_ id: String) -> APIError {
        APIError(
            .notFound, "unknown_consultation",
            "There is no consultation \"\(id.prefix(80))\"; see /consultations.", field: "id")
    }

    static let foreignConsultation = APIError(.forbidden, "forbidden", "This consultation is another user's.")

    /// Conversations cannot be written or read.
    static let consultationsUnavailable = APIError(
        .serviceUnavailable, "consultations_unavailable",
        "Conversations cannot be read or written now; try again later.")

    /// A message that was refused, as REST reports it.
    init(_ refusal: MessageRefusal) {
        self.init(
            refusal.code == "rate_limited" ? .tooManyRequests : .unprocessableContent, refusal.code, refusal.text,
            field: refusal.field == "content" ? "initial_message" : refusal.field,
            retryAfter: refusal.more["retry_after"]?.number)
    }
}
