import Consultation
import Foundation
import HistoryStore
import Logging
import NIOCore
import NIOPosix

@testable import CandlewireServer

/// The conversations of a server without the server: a test does on their event loop what it likes, in its own order.
struct RegistryStage: Sendable {
    let loop: any EventLoop
    let store: ConversationStore
    let index = ConsultationIndex([:])
    let model = PromptedModel()
    private let registry: NIOLoopBoundBox<ConversationRegistry?>

    init() async throws {
        let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
        self.loop = loop
        store = try ConversationStore(directory: RunningServer.temporaryFolder())
        registry = NIOLoopBoundBox.makeEmptyBox(valueType: ConversationRegistry.self, eventLoop: loop)
        let mailbox = ConsultationMailbox(loop: loop)
        let (store, index, model, registry) = (store, index, model, registry)
        try await loop.submit {
            let made = ConversationRegistry(
                options: ConsultationOptions(), limiter: ClientLimiter(ClientLimits()), isShared: false, store: store,
                index: index, model: model,
                mailbox: mailbox, loop: loop,
                outbox: ConsultationOutbox([loop]), clock: { Date().timeIntervalSince1970 },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            registry.value = made
            mailbox.open(made)
        }.get()
    }

    /// Does something on the loop, in one turn.
    func turn<R: Sendable>(_ body: @escaping @Sendable (ConversationRegistry) throws -> R) async throws -> R {
        try await loop.submit {
            guard let registry = registry.value else { throw NeverHappened() }
            return try body(registry)
        }.get()
    }

    /// Begins something on the loop, and waits for its result.
    func result<R: Sendable>(
        _ body: @escaping @Sendable (ConversationRegistry, EventLoopPromise<R>) -> Void
    ) async throws -> R {
        let promise = loop.makePromise(of: R.self)
        _ = try await turn { body($0, promise) }
        return try await promise.futureResult.get()
    }

    /// A conversation that lies on the disk.
    func keep(_ id: String, _ events: [ConversationEvent], at time: Double) async throws -> Transcript {
        let entries = events.enumerated().map { ConversationEntry(number: $0 + 1, time: time, event: $1) }
        try await withCheckedThrowingContinuation { continuation in
            store.append(ConversationAppend(id, entries)) { continuation.resume(with: $0) }
        }
        _ = index.add(id, of: "anna", limit: 10, total: nil)
        return try Transcript(entries)
    }
}
