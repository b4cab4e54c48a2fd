import GRDB

/// Writes groups: everything that waits goes into one transaction, and so shares one sync of the disk.
///
/// Confined to the database's writer queue, which is serial.
final class ConversationWriter: Sendable {
    /// Milliseconds: long enough for a page of a list to be read, too short to hold up those who write.
    private static let tidyWait = 50

    let queue: ConversationWrites
    private let path: String
    private let busyMilliseconds: Int

    init(path: String, options: ConversationStore.Options) {
        queue = ConversationWrites(limit: options.waitingLimit)
        self.path = path
        busyMilliseconds = Int(min(3600, max(0, options.busyTimeout / .seconds(1))) * 1000)
    }

    /// Writes until nothing waits.
    func run(_ db: Database) {
        while let group = queue.take() { write(group, db) }
    }

    /// Takes the log of changes over into the tables' file and empties it, so that nothing of what was deleted stands in
    /// it. Fails while somebody reads an earlier state, as a backup does, for whose end it waits a moment only.
    func tidy(_ db: Database) {
        do {
            try db.execute(sql: "PRAGMA busy_timeout = \(Self.tidyWait)")
            defer { try? db.execute(sql: "PRAGMA busy_timeout = \(busyMilliseconds)") }
            _ = try db.checkpoint(.truncate)
            queue.remains(false)
        } catch {
            queue.remains(true)
        }
    }

    private func write(_ group: [ConversationWrites.Work], _ db: Database) {
        var results: [Result<Void, StoreError>] = []
        var entries = 0
        var deleted = 0
        var deletes = false
        do {
            try db.inTransaction(.immediate) {
                for work in group {
                    // Each by itself: one that does not fit must not take the others with it.
                    switch work {
                    case .append(let append, _):
                        let misfit = try insert(append, db)
                        results.append(misfit.map { .failure($0) } ?? .success(()))
                        if misfit == nil { entries += append.records.count }
                    case .delete(let conversations, _):
                        deleted += try delete(conversations, db)
                        deletes = true
                        results.append(.success(()))
                    }
                }
                return .commit
            }
            // What was deleted stands in the log of changes until that is taken over.
            if deletes {
                queue.deleted(deleted)
                tidy(db)
            }
            queue.count(entries: entries, failed: false)
        } catch {
            let failure = StoreError(error, path: path, store: "conversation store")
            results = group.map { _ in .failure(failure) }
            queue.count(entries: 0, failed: true)
        }
        for (work, result) in zip(group, results) { work.completion(result) }
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
            let statement = try db.cachedStatement(sql: ConversationSchema.follow)
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
