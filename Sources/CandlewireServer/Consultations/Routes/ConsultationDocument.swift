import Consultation
import HistoryStore
import StreamCore

/// A consultation as REST shows it.
struct ConsultationDocument: Sendable {
    var summary: ConversationSummary
    /// Whether an answer is under way.
    var isAnswering: Bool

    func write(into sink: inout [UInt8]) {
        sink.json("{\"id\":")
        sink.string(summary.id)
        sink.field("user", summary.user)
        sink.field("type", summary.kind)
        sink.field("status", "active")
        sink.field("title", summary.title ?? summary.kind)
        sink.field("created_at", summary.createdAt)
        sink.field("updated_at", summary.updatedAt)
        sink.field("messages", summary.messages)
        sink.field("answering", isAnswering)
        sink.json("}")
    }
}
