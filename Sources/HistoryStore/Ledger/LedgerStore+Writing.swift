import GRDB
import Synchronization

/// Writes groups of ledger entries and equity points. Confined to the database's writer queue, which is serial.
extension LedgerStore {
    /// What one caller writes, all of it or nothing.
    struct Append: GroupWork {
        var records: [LedgerRecord]
        var points: [EquityPoint]
        var completion: @Sendable (Result<Void, StoreError>) -> Void

        var rows: Int { records.count + points.count }
    }

    /// Writes until nothing waits.
    func run(_ db: Database) { queue.drain { write($0, db) } }

    private func write(
        _ group: [Append], _ db: Database
    ) -> (each: [Result<Void, StoreError>], written: Result<Int, StoreError>?) {
        var next = heads.withLock { $0 }
        let conflicts = group.map { conflict(in: $0.records, after: &next) }
        let fitting = zip(group, conflicts).filter { $0.1 == nil }.map(\.0)
        let each = conflicts.map { $0.map(Result.failure) ?? .success(()) }
        guard fitting.contains(where: { $0.rows > 0 }) else { return (each, nil) }
        do {
            try db.inTransaction(.immediate) {
                for append in fitting { try insert(append, db) }
                return .commit
            }
            heads.withLock { $0 = next }
            return (each, .success(fitting.reduce(0) { $0 + $1.records.count }))
        } catch {
            let failure = queue.failure(error)
            return (conflicts.map { .failure($0 ?? failure) }, .failure(failure))
        }
    }

    private func insert(_ append: Append, _ db: Database) throws {
        for record in append.records {
            try db.execute(
                LedgerSchema.insert,
                [record.account, record.sequence, record.time, record.kind, record.body, record.checksum])
        }
        for point in append.points {
            try db.execute(LedgerSchema.insertPoint, [point.account, point.currency, point.timestamp, point.equity])
            let count = try Int.fetchOne(
                db.cachedStatement(sql: "SELECT COUNT(*) FROM equity WHERE account = ? AND currency = ?"),
                arguments: [point.account, point.currency])
            if let count, count > equityLimit {
                try db.execute(sql: LedgerSchema.thin, arguments: [point.account, point.currency, equityLimit / 2])
            }
        }
    }

    /// Why the records cannot follow what is written, and moves `heads` on where they can.
    ///
    /// After a failure all later entries of the account are refused as well, since the one before them is missing: a ledger
    /// never has a hole.
    private func conflict(in records: [LedgerRecord], after heads: inout [String: Int]) -> StoreError? {
        var moved = heads
        for record in records {
            let last = moved[record.account] ?? 0
            guard record.sequence == last + 1 else {
                return StoreError(
                    .outOfOrder,
                    "Entry \(record.sequence) of account \(record.account) cannot be written to the ledger \(path), which "
                        + "ends at \(last).")
            }
            guard record.time.isFinite else {
                return StoreError(
                    .other, "Entry \(record.sequence) of account \(record.account) has no time the ledger can keep.")
            }
            moved[record.account] = record.sequence
        }
        heads = moved
        return nil
    }
}
