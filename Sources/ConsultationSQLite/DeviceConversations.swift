public import Consultation
import Foundation
import GRDB
public import HistoryStore

/// Conversations in a file on a device: SQLite, synced at each commit.
///
/// ```swift
/// let device = try DeviceConversations(path: folder + "/conversations.sqlite")
/// let session = ConsultationSession(transport: transport, storage: device.storage(for: consultation))
/// ```
///
/// The file holds what the user and the assistant wrote, in plain text. What is deleted is overwritten in the file; `remove`
/// and `close` empty the log beside it (`-wal`), too.
public final class DeviceConversations: Sendable {
    public struct Limits: Sendable {
        /// Conversations in the file. Beyond, those go that did not change for the longest time and in which nothing waits
        /// for the server.
        public var conversations = 50
        /// Bytes of messages' text of a conversation. Beyond, its oldest messages go.
        public var bytesPerConversation = 4 << 20

        public init() {}
    }

    /// A conversation in the file.
    public struct Summary: Sendable, Equatable, Identifiable {
        public let id: String
        /// Seconds since 1970 UTC.
        public let changedAt: Double
        /// Messages that wait for the server.
        public let waiting: Int
    }

    public let path: String
    public let limits: Limits
    private let pool: DatabasePool
    private static let name = "conversation file"

    /// Opens or creates the file, and its folder.
    /// - Throws: `StoreError`, whose description is a sentence for the user: the file cannot be written, is damaged, or was
    ///   written by a newer version.
    public init(path: String, limits: Limits = Limits()) throws(StoreError) {
        self.path = path
        self.limits = limits
        try DataDirectory.create(DataDirectory.folder(of: path))
        do {
            pool = try DatabasePool.open(
                path, label: "device", store: Self.name, busyTimeout: .seconds(1), DeviceSchema.migrator,
                synchronous: "FULL; PRAGMA secure_delete = ON")
        } catch {
            throw StoreError(error, path: path, store: Self.name)
        }
    }

    /// The place of one conversation, for a `ConsultationSession`.
    @MainActor
    public func storage(for conversation: String) -> some ConversationStorage {
        DeviceConversation(conversation, in: self)
    }

    /// All conversations, the one that changed last first.
    public func conversations() throws(StoreError) -> [Summary] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT id, changed_at, waiting FROM conversation ORDER BY changed_at DESC, id")
                .map { Summary(id: $0[0], changedAt: $0[1], waiting: $0[2]) }
        }
    }

    /// Deletes a conversation, with what waits in it; one that is not there: nothing. Not while a session has it.
    public func remove(_ conversation: String) throws(StoreError) {
        try write { try $0.execute("DELETE FROM conversation WHERE id = ?", [conversation]) }
        try emptyLog()
    }

    /// Closes the file. Whoever uses it afterwards gets an error.
    public func close() throws(StoreError) {
        try emptyLog()
        do { try pool.close() } catch { throw failure(error) }
    }

    private func emptyLog() throws(StoreError) {
        do { _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) } } catch { throw failure(error) }
    }

    // MARK: One conversation

    func load(_ conversation: String) throws(StoreError) -> (head: String, messages: [String: String])? {
        try read { db in
            let head = try String.fetchOne(
                db, sql: "SELECT head FROM conversation WHERE id = ?", arguments: [conversation])
            guard let head else { return nil }
            let rows = try Row.fetchAll(
                db, sql: "SELECT id, body FROM message WHERE conversation = ?", arguments: [conversation])
            return (head, Dictionary(rows.map { ($0[0], $0[1]) }) { $1 })
        }
    }

    func save(_ change: ConversationChange, of conversation: String) throws(StoreError) {
        try write { [limits] db in
            try db.execute(DeviceSchema.head, [conversation, change.time, change.waiting, change.head])
            for message in change.written {
                try db.execute(DeviceSchema.message, [conversation, message.id, message.json])
            }
            for id in change.removed {
                try db.execute("DELETE FROM message WHERE conversation = ? AND id = ?", [conversation, id])
            }
            try db.execute(DeviceSchema.trim, [conversation, limits.conversations])
        }
    }

    private func read<R>(_ body: (Database) throws -> R) throws(StoreError) -> R {
        do { return try pool.read(body) } catch { throw failure(error) }
    }

    private func write(_ body: (Database) throws -> Void) throws(StoreError) {
        do { try pool.write(body) } catch { throw failure(error) }
    }

    private func failure(_ error: any Error) -> StoreError { StoreError(error, path: path, store: Self.name) }
}

/// One conversation of the file.
private final class DeviceConversation: ConversationStorage {
    private let id: String
    private let device: DeviceConversations

    init(_ id: String, in device: DeviceConversations) {
        self.id = id
        self.device = device
    }

    var maxBytes: Int { device.limits.bytesPerConversation }

    func load() throws -> StoredConversation? {
        guard let (head, messages) = try device.load(id) else { return nil }
        return try StoredConversation(head: head, messages: messages)
    }

    func save(_ change: ConversationChange) throws { try device.save(change, of: id) }
}
