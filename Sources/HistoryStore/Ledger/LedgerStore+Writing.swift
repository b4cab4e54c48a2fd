import Foundation
import GRDB
import Synchronization

/// Writes groups of ledger entries and equity points. Confined to the database's writer queue, which is serial.
extension LedgerStore {
    /// What one caller writes, all of it or nothing.
    struct Append: GroupWork {
        var records: [LedgerRecord] = []
        var points: [EquityPoint] = []
        var refused: [RefusedRecord] = []
        var snapshot: LedgerSnapshot?
        var completion: @Sendable (Result<Void, StoreError>) -> Void

        var rows: Int { records.count + points.count + refused.count + (snapshot == nil ? 0 : 1) }
    }

    /// Writes until nothing waits.
    func run(_ db: Database) { queue.drain { write($0, db) } }

    private func write(
        _ group: [Append], _ db: Database
    ) -> (each: [Result<Void, StoreError>], written: Result<Int, StoreError>?) {
        var next = heads.withLock { $0 }
        let before = next
        var hashes: [[LedgerHash]] = []
        let conflicts = group.map { append in
            var found: [LedgerHash] = []
            let conflict = conflict(in: append, after: &next, &found)
            hashes.append(found)
            return conflict
        }
        let fitting = zip(zip(group, hashes), conflicts).filter { $0.1 == nil }.map(\.0)
        let each = conflicts.map { $0.map(Result.failure) ?? .success(()) }
        guard fitting.contains(where: { $0.0.rows > 0 }) else { return (each, nil) }
        do {
            try db.inTransaction(.immediate) {
                var (ends, points) = (before, [EquityPoint]())
                let rows = try Rows(db)
                for (append, hashes) in fitting { try insert(append, hashes, &ends, &points, rows, db) }
                try curves.withLock { try $0.insert(points, limit: equityLimit, db) }
                queue.commitBegins()
                return .commit
            }
            heads.withLock { $0 = next }
            if fitting.contains(where: { !$0.0.records.isEmpty }) { headWriter.note(next) }
            for record in fitting.flatMap(\.0.records) where record.kind == LedgerRecord.deletion {
                sweep(record.account)
            }
            return (each, .success(fitting.reduce(0) { $0 + $1.0.records.count }))
        } catch {
            let failure = queue.failure(error)
            curves.withLock { $0.forget() }
            return (conflicts.map { .failure($0 ?? failure) }, .failure(failure))
        }
    }

    /// - Parameters:
    ///   - ends: where the accounts end, in this transaction.
    ///   - points: those that are still to be written.
    private func insert(
        _ append: Append, _ hashes: [LedgerHash], _ ends: inout [String: LedgerPosition],
        _ points: inout [EquityPoint], _ rows: Rows, _ db: Database
    ) throws {
        for (record, hash) in zip(append.records, hashes) {
            let isDeletion = record.kind == LedgerRecord.deletion
            let previous = isDeletion ? (ends[record.account]?.hash ?? .first) : nil
            try rows.insert(record, hash, previous: previous)
            ends[record.account] = LedgerPosition(sequence: record.sequence, hash: hash)
            if isDeletion {
                try db.execute(
                    "INSERT OR REPLACE INTO deletions (account, sequence) VALUES (?, ?)",
                    [record.account, record.sequence])
                points.removeAll { $0.account == record.account }
                // Bounded, so at once; the rest is swept.
                for table in ["equity", "refused"] {
                    try db.execute("DELETE FROM \(table) WHERE account = ?", [record.account])
                }
            }
            try rows.insert(record.index, of: record)
        }
        for refused in append.refused {
            try db.execute(LedgerSchema.insertRefused, [refused.account, refused.number, refused.body])
        }
        if let last = append.refused.last {
            try db.execute(LedgerSchema.forgetRefused, [last.account, last.oldestKept])
        }
        if let snapshot = append.snapshot { try insert(snapshot, db) }
        points += append.points
    }

    /// What is written for nearly every entry.
    private struct Rows {
        private let entry: RowStatement
        private let order: RowStatement
        private let fill: RowStatement

        init(_ db: Database) throws {
            entry = try RowStatement(LedgerSchema.insert, db)
            order = try RowStatement(LedgerSchema.insertOrder, db)
            fill = try RowStatement(LedgerSchema.insertFill, db)
        }

        func insert(_ record: LedgerRecord, _ hash: LedgerHash, previous: LedgerHash?) throws {
            entry.bind(1, record.account)
            entry.bind(2, record.sequence)
            entry.bind(3, record.time)
            entry.bind(4, record.kind)
            entry.bind(5, record.body)
            entry.bind(6, record.principal)
            entry.bind(7, hash.bytes)
            entry.bind(8, previous?.bytes)
            try entry.run()
        }

        func insert(_ index: LedgerIndex, of record: LedgerRecord) throws {
            if let ended = index.order {
                order.bind(1, record.account)
                order.bind(2, ended.number)
                order.bind(3, record.sequence)
                order.bind(4, ended.symbol)
                order.bind(5, ended.status)
                try order.run()
            }
            if let made = index.fill {
                fill.bind(1, record.account)
                fill.bind(2, made.number)
                fill.bind(3, record.sequence)
                fill.bind(4, made.symbol)
                fill.bind(5, made.order)
                try fill.run()
            }
        }
    }

    private func insert(_ snapshot: LedgerSnapshot, _ db: Database) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT hash FROM ledger WHERE account = ? AND sequence = ?",
            arguments: [snapshot.account, snapshot.sequence])
        // Its account may have been deleted since.
        guard let row, let hash = LedgerReading.hash(row[0]) else { return }
        try db.execute(
            "INSERT OR REPLACE INTO snapshots (account, sequence, opened, state, events, signature) VALUES (?,?,?,?,?,?)",
            [
                snapshot.account, snapshot.sequence, snapshot.openedAt, Data(snapshot.state), Data(snapshot.events),
                Data(key.signature(snapshot.signed(hash))),
            ])
        try db.execute(
            """
            DELETE FROM snapshots WHERE account = ?1 AND sequence NOT IN (
                SELECT sequence FROM snapshots WHERE account = ?1 ORDER BY sequence DESC LIMIT 2)
            """, [snapshot.account])
    }

    /// Finds orders and fills again in entries that an older version wrote. What is known already stays.
    public func addIndex(of records: [LedgerRecord]) throws {
        do {
            try queue.pool.write { db in
                let rows = try Rows(db)
                for record in records { try rows.insert(record.index, of: record) }
            }
        } catch { throw queue.failure(error) }
    }

    /// Why the records cannot follow what is written, and moves `heads` on where they can.
    ///
    /// After a failure all later entries of the account are refused as well, since the one before them is missing: a ledger
    /// never has a hole.
    private func conflict(
        in append: Append, after heads: inout [String: LedgerPosition], _ hashes: inout [LedgerHash]
    ) -> StoreError? {
        var moved = heads
        for record in append.records {
            let last = moved[record.account] ?? LedgerPosition(sequence: 0, hash: .first)
            guard record.sequence == last.sequence + 1 else {
                return StoreError(
                    .outOfOrder,
                    "Entry \(record.sequence) of account \(record.account) cannot be written to the ledger \(path), which "
                        + "ends at \(last.sequence).")
            }
            guard record.time.isFinite else {
                return StoreError(
                    .other, "Entry \(record.sequence) of account \(record.account) has no time the ledger can keep.")
            }
            let hash = record.hash(after: last.hash)
            hashes.append(hash)
            moved[record.account] = LedgerPosition(sequence: record.sequence, hash: hash)
        }
        heads = moved
        return nil
    }

    // MARK: Compaction

    /// Compresses the entries before the snapshots, and gives the disk what the file does not need. Nothing else may use the
    /// ledger meanwhile. Interrupted at any point, it can be done again.
    /// - Returns: the file's bytes before and after.
    public func compact() throws -> (before: Int, after: Int) {
        func bytes() throws -> Int {
            _ = try queue.pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            return (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
        }
        do {
            let before = try bytes()
            for account in try accounts() {
                var isMore = true
                while isMore {
                    // Some blocks share a sync of the disk.
                    isMore = try queue.pool.write { db in
                        for _ in 0..<64 { guard try LedgerBlock.pack(account, db) else { return false } }
                        return true
                    }
                }
            }
            try queue.pool.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
            return (before, try bytes())
        } catch { throw queue.failure(error) }
    }

    // MARK: Deleted accounts

    /// Removes what deleted accounts left behind, also where an earlier run was interrupted.
    public func sweepDeleted() throws {
        let accounts = try queue.pool.read { try String.fetchAll($0, sql: "SELECT account FROM deletions") }
        for account in accounts { sweep(account) }
    }

    /// Removes an account's rows from before its deletion, in short transactions between those of others.
    private func sweep(_ account: String) {
        if queue.isClosed { return }
        queue.pool.asyncWriteWithoutTransaction { [self] db in
            var isMore = false
            try? db.inTransaction(.immediate) {
                isMore = try Self.sweep(account, limit: LedgerReading.step, db)
                return .commit
            }
            if isMore { sweep(account) }
        }
    }

    /// - Returns: whether there is more.
    static func sweep(_ account: String, limit: Int, _ db: Database) throws -> Bool {
        guard let end = try LedgerReading.deletion(of: account, db) else { return false }
        var isMore = false
        for (table, number, sequence) in [
            ("past_orders", "number", "sequence"), ("past_fills", "number", "sequence"),
            ("snapshots", "sequence", "sequence"), ("blocks", "last", "last"), ("ledger", "sequence", "sequence"),
        ] {
            // By ranges of the key, so that nothing is looked at twice.
            let last = try Int.fetchOne(
                db,
                sql: """
                    SELECT MAX(number) FROM (
                        SELECT \(number) AS number FROM \(table) WHERE account = ? AND \(sequence) < ?
                        ORDER BY \(number) LIMIT ?)
                    """, arguments: [account, end, limit])
            guard let last else { continue }
            try db.execute(
                "DELETE FROM \(table) WHERE account = ? AND \(sequence) < ? AND \(number) <= ?", [account, end, last])
            if db.changesCount >= limit { isMore = true }
        }
        return isMore
    }
}
