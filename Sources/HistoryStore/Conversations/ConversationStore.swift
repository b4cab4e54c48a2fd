import Dispatch
import Foundation
import GRDB
import Synchronization

/// Conversations and their entries, in a file of its own: SQLite in WAL mode, synced at each commit.
///
/// ```swift
/// let store = try ConversationStore(directory: DataDirectory.userDefault())
/// store.append(append) { result in … }                  // on disk, or not at all
/// let records = try await store.records(of: id)         // the conversation follows from its entries
/// ```
///
/// As with the ledger, an entry whose completion ran with success survives the process and a power cut, many appends share
/// one sync, and after a failure every later entry of the conversation is refused until its number fits what is on disk.
///
/// What is deleted is overwritten in the file, and the file of changes beside it (`-wal`) is emptied before the completion
/// runs; while a reader sees an earlier state, as a backup does, that is tried again every `cleanUpInterval`. Nothing overwrites
/// what a backup, a snapshot of the file system or a disk's free or spare sectors have of it.
public final class ConversationStore: Sendable {
    /// The file's name inside a data directory.
    public static let fileName = "conversations.sqlite"

    public struct Options: Sendable {
        /// How long to wait for another process's lock.
        public var busyTimeout: Duration = .seconds(5)
        /// Entries that may wait for the disk; beyond, appends fail at once.
        public var waitingLimit = 100_000
        /// From one attempt to overwrite what was deleted to the next, while readers hold it.
        public var cleanUpInterval: Duration = .seconds(5)
        /// The new name of a user of conversations from before users had namespaces. Applied once, to what a file of such
        /// a version has.
        public var renameUser: @Sendable (String) -> String = { $0 }

        public init() {}
    }

    /// The database file.
    public var path: String { queue.path }
    let queue: GroupCommitQueue<Work>
    let busyMilliseconds: Int
    let remains = Mutex(Remains())
    private let cleanUpInterval: Double
    /// Whether an attempt to clean up is due.
    private let isCleanUpDue = Mutex(false)

    /// Opens or creates `conversations.sqlite` in a data directory.
    /// - Throws: `StoreError`, whose description is a sentence for the user.
    public init(directory: String, options: Options = Options()) throws(StoreError) {
        queue = try GroupCommitQueue(
            Self.fileName, in: directory, store: "conversation store", limit: options.waitingLimit,
            busyTimeout: options.busyTimeout, ConversationSchema.migrator(renameUser: options.renameUser),
            more: "; PRAGMA secure_delete = ON")
        cleanUpInterval = max(0.001, options.cleanUpInterval / .seconds(1))
        busyMilliseconds = Int(min(3600, max(0, options.busyTimeout / .seconds(1))) * 1000)
        // A process that was killed may have left some.
        queue.pool.writeWithoutTransaction { cleanUp($0) }
        if hasRemains { scheduleCleanUp() }
    }

    // MARK: Writing

    /// Writes entries, all of them or none.
    ///
    /// Made for event loops: a short lock, no IO. Appends are written in the order of the calls.
    /// - Parameter completion: runs on the writer's thread after the commit, or after the failure; in the order of the calls,
    ///   save for those that are refused at once (too much waits, or the store is closed), which run on the caller's. It
    ///   holds up the next group, so it should only pass the news on.
    public func append(
        _ append: ConversationAppend, then completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        add(.append(append, completion))
    }

    /// Deletes conversations with all their entries, behind everything appended so far. Those that are not there are
    /// none the less deleted: what is still to be appended to them is refused.
    public func delete(
        _ conversations: [String], then completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        add(.delete(conversations, completion))
    }

    private func add(_ work: Work) {
        queue.add(work) { [self] db in
            run(db)
            if hasRemains { scheduleCleanUp() }
        }
    }

    private func scheduleCleanUp() {
        let isFirst = isCleanUpDue.withLock { isDue in
            defer { isDue = true }
            return !isDue
        }
        guard isFirst, !queue.isClosed else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + cleanUpInterval) { [weak self] in
            guard let self else { return }
            isCleanUpDue.withLock { $0 = false }
            guard !queue.isClosed else { return }
            queue.pool.asyncWriteWithoutTransaction { [self] db in
                cleanUp(db)
                if hasRemains { scheduleCleanUp() }
            }
        }
    }

    // MARK: Reading

    /// All entries of a conversation, in order; empty where there is none. Numbers have no hole.
    public func records(of conversation: String) async throws -> [ConversationRecord] {
        try await queue.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT number, time, kind, body FROM entry
                    WHERE conversation = (SELECT number FROM conversation WHERE id = ?) ORDER BY number
                    """,
                arguments: [conversation])
            return rows.map { ConversationRecord(number: $0[0], time: $0[1], kind: $0[2], body: $0[3]) }
        }
    }

    /// Conversations in the order in which they were begun, the newest first.
    /// - Parameters:
    ///   - user: only theirs; `nil`: everyone's.
    ///   - separator: of `nil` only those whose user's name does not have it.
    ///   - kind: only of this consultation type.
    ///   - before: only those that were begun before this one.
    public func summaries(
        user: String?, without separator: Character? = nil, kind: String? = nil, before: String? = nil, limit: Int
    ) async throws -> [ConversationSummary] {
        try await queue.read { db in
            try Row.fetchAll(
                db,
                sql: ConversationSchema.summary + """
                     WHERE (user = ?1 OR ?1 IS NULL AND (?5 IS NULL OR instr(user, ?5) = 0)) AND (?2 IS NULL OR kind = ?2)
                     AND (?3 IS NULL OR number < (SELECT number FROM conversation WHERE id = ?3))
                     ORDER BY number DESC LIMIT ?4
                    """,
                arguments: [user, kind, before, max(0, limit), separator.map(String.init)]
            ).map(Self.summary)
        }
    }

    /// One conversation; `nil` where there is none.
    public func summary(of conversation: String) async throws -> ConversationSummary? {
        try await queue.read { db in
            try Row.fetchOne(db, sql: ConversationSchema.summary + " WHERE id = ?", arguments: [conversation])
                .map(Self.summary)
        }
    }

    /// Whose each conversation is, by id.
    public func owners() async throws -> [String: String] {
        try await queue.read { db in
            var owners: [String: String] = [:]
            let rows = try Row.fetchCursor(db, sql: "SELECT id, user FROM conversation")
            while let row = try rows.next() { owners[row[0]] = row[1] }
            return owners
        }
    }

    /// Conversations in which nothing happened since then, the oldest first.
    /// - Parameter time: seconds since 1970 UTC.
    public func quiet(since time: Double, limit: Int) async throws -> [String] {
        try await queue.read { db in
            try String.fetchAll(
                db, sql: "SELECT id FROM conversation WHERE updated_at < ? ORDER BY updated_at LIMIT ?",
                arguments: [time, max(0, limit)])
        }
    }

    /// When something was last written in any conversation, seconds since 1970 UTC; `nil`: there is none.
    public func newest() async throws -> Double? {
        try await queue.read { db in try Double.fetchOne(db, sql: "SELECT max(updated_at) FROM conversation") }
    }

    private static func summary(_ row: Row) -> ConversationSummary {
        ConversationSummary(
            id: row[0], user: row[1], kind: row[2], title: row[3], createdAt: row[4], updatedAt: row[5],
            messages: row[6])
    }

    // MARK: The rest

    /// Counters since the store was opened.
    public var statistics: ConversationStatistics {
        let (exist, conversations) = remains.withLock { ($0.exist, $0.conversations) }
        return ConversationStatistics(writes: queue.statistics, hasRemains: exist, deletedRemaining: conversations)
    }

    /// Writes what waits and closes the file. Later appends are refused. A second call does nothing.
    public func close() throws {
        try queue.close { db in
            run(db)
            // A copy of the file alone shall be whole.
            cleanUp(db)
        }
    }
}
