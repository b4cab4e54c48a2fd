/// Where a device keeps one conversation. The product `ConsultationSQLite` has one in a file; any other store will do that
/// writes a change as a whole or not at all.
///
/// A `ConsultationSession` calls it on the main actor: once for each event, once a second while an answer grows. One
/// conversation, one session at a time.
@MainActor
public protocol ConversationStorage: AnyObject {
    /// Bytes of messages' text that are kept; beyond, the oldest go.
    var maxBytes: Int { get }

    /// - Returns: what was saved last; `nil` where there is nothing.
    /// - Throws: an error whose description is a sentence for the user. The session then leaves the store as it is.
    func load() throws -> StoredConversation?

    /// Writes a change, so that it is there after a crash. When it returns, the session sends what waits.
    /// - Throws: an error whose description is a sentence for the user; then nothing of the change was written. The
    ///   session goes on without, and saves again after five seconds or at the next event after them.
    func save(_ change: ConversationChange) throws
}

extension ConversationStorage {
    public var maxBytes: Int { 4 << 20 }
}
