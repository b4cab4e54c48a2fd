import GRDB
import Synchronization

/// Writes groups of entries, and deletes conversations.
///
/// Confined to the database's writer queue, which is serial.
final class ConversationWriter: Sendable {
    /// Milliseconds: long enough for a page of a list to be read, too short to hold up those who write.
    private static let tidyWait = 50

    enum Work: GroupWork {
        typealias Completion = @Sendable (Result<Void, StoreError>) -> Void

        case append(ConversationAppend, Completion)
        case delete([String], Completion)

        var rows: Int {
            switch self {
            case .append(let append, _): append.records.count
            case .delete(let conversations, _): conversations.count
            }
        }

        var completion: Completion {
            switch self {
            case .append(_, let completion), .delete(_, let completion): completion
            }
        }
    }

    /// Deleted text that may still be in the log of changes.
    private struct Remains {
        var exist = false
        /// Conversations that are gone from the tables, and not from the log of changes.
        var conversations = 0
    }

    let queue: GroupCommitQueue<Work>
    private let remains = Mutex(Remains())
    private let path: String
    private let busyMilliseconds: Int

    init(path: String, options: ConversationStore.Options) {
        queue = GroupCommitQueue(limit: options.waitingLimit, store: "conversation store", path: path)
        self.path = path
        busyMilliseconds = Int(min(3600, max(0, options.busyTimeout / .seconds(1))) * 1000)
    }

    /// Writes until nothing waits.
    func run(_ db: Database) {
        queue.drain { write($0, db) }
    }

    var hasRemains: Bool { remains.withLock { $0.exist } }

    var statistics: ConversationStatistics {
        let (exist, conversations) = remains.withLock { ($0.exist, $0.conversations) }
        return ConversationStatistics(writes: queue.statistics, hasRemains: exist, deletedRemaining: conversations)
    }

    /// Moves the log of changes into the tables' file and empties it, so that nothing of what was deleted is in it. Fails
    /// while a reader, as a backup, sees an earlier state; it waits a moment only for its end.
    func tidy(_ db: Database) {
        do {
            try db.execute(sql: "PRAGMA busy_timeout = \(Self.tidyWait)")
            defer { try? db.execute(sql: "PRAGMA busy_timeout = \(busyMilliseconds)") }
            _ = try db.checkpoint(.truncate)
            remains.withLock { $0 = Remains() }
        } catch {
            remains.withLock { $0.exist = true }
        }
    }

    private func write(_ group: [Work], _ db: Database) -> GroupResult {
        var each: [Result<Void, StoreError>] = []
        var entries = 0
        var deleted = 0
        do {
            try db.inTransaction(.immediate) {
                for work in group {
                    switch work {
                    case .append(let append, _):
                        let misfit = try insert(append, db)
                        each.append(misfit.map { .failure($0) } ?? .success(()))
                        if misfit == nil { entries += append.records.count }
                    case .delete(let conversations, _):
                        deleted += try delete(conversations, db)
                        each.append(.success(()))
                    }
                }
                return .commit
            }
        } catch {
            let failure = StoreError(error, path: path, store: "conversation store")
            return GroupResult(outcome: .failed, each: group.map { _ in .failure(failure) })
        }
        // What was deleted is in the log of changes until that is emptied.
        let deletes = group.contains { if case .delete = $0 { true } else { false } }
        if deletes {
            remains.withLock { $0.conversations += deleted }
            tidy(db)
        }
        return GroupResult(outcome: .committed(entries: entries), each: each)
    }

    /// - Returns: why the entries cannot follow what is written. After a failure all later entries of the conversation are
    ///   refused as well, since the one before them is missing: a log never has a hole.
    private func insert(_ append: ConversationAppend, _ db: Database) throws -> StoreError? {
        guard let first = append.records.first, let last = append.records.last else { return nil }
        guard append.records.allSatisfy(\.time.isFinite) else {
            return StoreError(.other, "An entry of conversation \(append.conversation) has no time that can be kept.")
        }
        for (offset, record) in append.records.enumerated() where record.number != first.number + offset {
            return misfit(append, record.number)
        }
        if let opening = append.opening {
            guard first.number == 1 else { return misfit(append, first.number) }
            let statement = try db.cachedStatement(sql: ConversationSchema.open)
            statement.setUncheckedArguments([
                append.conversation, opening.user, opening.kind, append.title, first.time, last.time, append.messages,
                last.number,
            ])
            do {
                try statement.execute()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                return misfit(append, 1)
            }
        } else {
            let statement = try db.cachedStatement(sql: ConversationSchema.extend)
            statement.setUncheckedArguments([
                append.title, last.time, append.messages, last.number, append.conversation, first.number - 1,
            ])
            try statement.execute()
            guard db.changesCount == 1 else { return misfit(append, first.number) }
        }
        let statement = try db.cachedStatement(sql: ConversationSchema.insert)
        for record in append.records {
            statement.setUncheckedArguments([
                append.conversation, record.number, record.time, record.kind, record.body,
            ])
            try statement.execute()
        }
        return nil
    }

    /// - Returns: how many there were.
    private func delete(_ conversations: [String], _ db: Database) throws -> Int {
        let statement = try db.cachedStatement(sql: "DELETE FROM conversation WHERE id = ?")
        var count = 0
        for id in conversations {
            statement.setUncheckedArguments([id])
            try statement.execute()
            count += db.changesCount
        }
        return count
    }

    private func misfit(_ append: ConversationAppend, _ number: Int) -> StoreError {
        StoreError(
            .outOfOrder,
            "Entry \(number) of conversation \(append.conversation) does not follow what the store \(path) has of it.")
    }
}

/// Counters of a store of conversations since it was opened.
public struct ConversationStatistics: Sendable, Equatable {
    public var writes: GroupCommitStatistics
    /// Whether what was deleted may still be in the file of changes (`-wal`), because a reader sees an earlier state.
    public var hasRemains: Bool
    /// Conversations deleted since the store was opened, of which that may still be there.
    public var deletedRemaining: Int
}
