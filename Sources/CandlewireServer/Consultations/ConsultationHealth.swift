import Consultation
import HistoryStore
import NIOCore
import StreamCore
import Synchronization

/// The part of `/health` about consultations.
struct ConsultationHealth: JSONDocument, Sendable {
    /// What the conversations' event loop knows.
    struct Present: Sendable {
        var inMemory: Int
        /// Under way.
        var answers: Int
        var inputTokens: Int
        var outputTokens: Int
        var counts: ConversationMachine.Counts
    }

    /// Who answers, for people.
    var model: String
    var stored: Int
    var connections: Int
    var present: Present
    var store: ConversationStatistics

    var isOK: Bool { !store.writes.isFailing }

    func write(into sink: inout [UInt8]) {
        sink.object { sink in
            sink.field("store", isOK ? "ok" : "failing")
            sink.field("model", model)
            sink.field("stored", stored)
            sink.field("in_memory", present.inMemory)
            sink.field("connections", connections)
            sink.field("answering", present.answers)
            sink.field("frames_out", present.counts.framesOut)
            sink.field("resumed", present.counts.resumed)
            sink.field("synced", present.counts.synced)
            sink.field("duplicates", present.counts.duplicates)
            sink.field("refused", present.counts.refused)
            sink.field("malformed", present.counts.malformed)
            sink.field("tool_calls_refused", present.counts.toolCallsRefused)
            sink.field("input_tokens", present.inputTokens)
            sink.field("output_tokens", present.outputTokens)
            sink.field("written_entries", store.writes.writtenEntries)
            sink.field("commits", store.writes.groups)
            sink.field("failed_commits", store.writes.failedGroups)
            sink.field("waiting_entries", store.writes.waitingRows)
            sink.field("remains", store.hasRemains)
            sink.field("deleted_remaining", store.deletedRemaining)
        }
    }
}

extension ConsultationDesk {
    func health() async throws -> ConsultationHealth {
        ConsultationHealth(
            model: modelName, stored: index.count, connections: counts.open,
            present: try await run { registry, promise in promise.succeed(registry.health()) }, store: store.statistics)
    }
}

/// What consultations do, counted on all event loops.
final class ConsultationCounts: Sendable {
    private let connections = Atomic<Int>(0)
    private let numbers = Atomic<Int>(0)

    func opened() { connections.add(1, ordering: .relaxed) }
    func closed() { connections.subtract(1, ordering: .relaxed) }

    /// Connections that are open now.
    var open: Int { connections.load(ordering: .relaxed) }

    /// A number that no other connection has.
    func nextNumber() -> ClientNumber {
        ClientNumber(rawValue: numbers.add(1, ordering: .relaxed).newValue)
    }
}
