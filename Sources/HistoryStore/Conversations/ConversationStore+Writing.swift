import GRDB
import Synchronization

/// Writes groups of entries, and deletes conversations. Confined to the database's writer queue, which is serial.
extension ConversationStore {
    /// Milliseconds: long enough for a page of a list to be read, too short to hold up those who write.
    private static let cleanUpWait = 50

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
    struct Remains {
        var exist = false
        /// Conversations that are gone from the tables, and not from the log of changes.
        var conversations = 0
    }

    /// Writes until nothing waits.
    func run(_ db: Database) { queue.drain { write($0, db) } }

    var hasRemains: Bool { remains.withLock { $0.exist } }

    /// Moves the log of changes into the tables' file and empties it, so that nothing of what was deleted is in it. Fails
    /// while a reader, as a backup, sees an earlier state; it waits a moment only for its end.
    func cleanUp(_ db: Database) {
        do {
            try db.execute(sql: "PRAGMA busy_timeout = \(Self.cleanUpWait)")
            defer { try? db.execute(sql: "PRAGMA busy_timeout = \(busyMilliseconds)") }
            _ = try db.checkpoint(.truncate)
            remains.withLock { $0 = Remains() }
        } catch {
            remains.withLock { $0.exist = true }
        }
    }

    private func write(
        _ group: [Work], _ db: Database
    ) -> (each: [Result<Void, StoreError>], written: Result<Int, StoreError>?) {
        var each: [Result<Void, StoreError>] = []
        var entries = 0
        var deleted = 0
        do {
            try db.inTransaction(.immediate) {
                for work in group {
                    switch work {
                    case .append(let append, _):
                        let conflict = try insert(append, db)
                        each.append(conflict.map(Result.failure) ?? .success(()))
                        if conflict == nil { entries += append.records.count }
                    case .delete(let conversations, _):
                        deleted += try delete(conversations, db)
                        each.append(.success(()))
                    }
                }
                queue.commitBegins()
                return .commit
            }
        } catch {
            let failure = queue.failure(error)
            return (group.map { _ in .failure(failure) }, .failure(failure))
        }
        // What was deleted is in the log of changes until that is emptied.
        let deletes = group.contains { if case .delete = $0 { true } else { false } }
        if deletes {
            remains.withLock { $0.conversations += deleted }
            cleanUp(db)
        }
        return (each, .success(entries))
    }

    /// - Returns: why the entries cannot follow what is written. After a failure all later entries of the conversation are
    ///   refused as well, since the one before them is missing: a log never has a hole.
    private func insert(_ append: ConversationAppend, _ db: Database) throws -> StoreError? {
        guard let first = append.records.first, let last = append.records.last else { return nil }
        guard append.records.allSatisfy(\.time.isFinite) else {
            return StoreError(.other, "An entry of conversation \(append.conversation) has no time that can be kept.")
        }
        for (offset, record) in append.records.enumerated() where record.number != first.number + offset {
            return conflict(append, record.number)
        }
        if let opening = append.opening {
            guard first.number == 1 else { return conflict(append, first.number) }
            do {
                try db.execute(
                    ConversationSchema.open,
                    [
                        append.conversation, opening.user, opening.kind, append.title, first.time, last.time,
                        append.messages, last.number,
                    ])
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                return conflict(append, 1)
            }
        } else {
            try db.execute(
                ConversationSchema.extend,
                [append.title, last.time, append.messages, last.number, append.conversation, first.number - 1])
            guard db.changesCount == 1 else { return conflict(append, first.number) }
        }
        for record in append.records {
            try db.execute(
                ConversationSchema.insert, [append.conversation, record.number, record.time, record.kind, record.body])
        }
        return nil
    }

    /// - Returns: how many there were.
    private func delete(_ conversations: [String], _ db: Database) throws -> Int {
        try conversations.reduce(0) { count, id in
            try db.execute("DELETE FROM conversation WHERE id = ?", [id])
            return count + db.changesCount
        }
    }

    private func conflict(_ append: ConversationAppend, _ number: Int) -> StoreError {
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
