import Consultation
import HistoryStore
import NIOCore
import StreamCore
import Synchronization

/// The part of `/health` about consultations.
struct ConsultationHealth: JSONObjectDocument, Sendable {
    /// What the conversations' event loop knows.
    struct Present: Sendable {
        var inMemory: Int
        /// Under way.
        var answers: Int
        var inputTokens: Int
        var outputTokens: Int
        var counts: ConversationMachine.Counts
        var models: ModelCounts
    }

    /// Who answers, for people.
    var model: String
    var stored: Int
    var connections: Int
    /// Connections that were closed for want of a right token.
    var unauthorized: Int
    var present: Present
    var store: ConversationStatistics

    var isOK: Bool { !store.writes.isFailing }

    func writeMembers(into sink: inout [UInt8]) {
        sink.fields("store", isOK ? "ok" : "failing", "model", model, "stored", stored, "in_memory", present.inMemory)
        sink.fields("connections", connections, "answering", present.answers, "frames_out", present.counts.framesOut)
        sink.fields("resumed", present.counts.resumed, "synced", present.counts.synced)
        sink.fields("duplicates", present.counts.duplicates, "refused", present.counts.refused)
        sink.fields("malformed", present.counts.malformed, "tool_calls_refused", present.counts.toolCallsRefused)
        sink.fields("input_tokens", present.inputTokens, "output_tokens", present.outputTokens)
        sink.fields("written_entries", store.writes.writtenEntries, "commits", store.writes.groups)
        sink.fields("failed_commits", store.writes.failedGroups, "waiting_entries", store.writes.waitingRows)
        sink.fields("remains", store.hasRemains, "deleted_remaining", store.deletedRemaining)
    }
}

extension ConsultationDesk {
    func health() async throws -> ConsultationHealth {
        ConsultationHealth(
            model: modelName, stored: index.count, connections: counts.open, unauthorized: counts.closedUnauthorized,
            present: try await run { registry, promise in promise.succeed(registry.health()) }, store: store.statistics)
    }
}

/// What consultations do, counted on all event loops.
final class ConsultationCounts: Sendable {
    private let connections = Atomic<Int>(0)
    private let numbers = Atomic<Int>(0)
    private let refused = Atomic<Int>(0)

    func opened() { connections.add(1, ordering: .relaxed) }
    func closed() { connections.subtract(1, ordering: .relaxed) }
    func unauthorized() { refused.add(1, ordering: .relaxed) }

    /// Connections that were closed for want of a right token.
    var closedUnauthorized: Int { refused.load(ordering: .relaxed) }

    /// Connections that are open now.
    var open: Int { connections.load(ordering: .relaxed) }

    /// A number that no other connection has.
    func nextNumber() -> ClientNumber { ClientNumber(rawValue: numbers.add(1, ordering: .relaxed).newValue) }
}
