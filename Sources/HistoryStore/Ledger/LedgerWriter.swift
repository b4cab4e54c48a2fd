import GRDB
import Synchronization

/// Writes groups of ledger entries and equity points.
///
/// Confined to the database's writer queue, which is serial.
final class LedgerWriter: Sendable {
    /// What one caller wants written, all of it or nothing.
    struct Append: GroupWork {
        var records: [LedgerRecord]
        var points: [EquityPoint]
        var completion: @Sendable (Result<Void, StoreError>) -> Void

        var rows: Int { records.count + points.count }
    }

    let queue: GroupCommitQueue<Append>
    private let path: String
    private let equityLimit: Int
    /// The last sequence number of each account on disk. A lock only for the compiler: the writer queue is serial.
    private let heads: Mutex<[String: Int]>

    init(path: String, options: LedgerStore.Options, heads: [String: Int]) {
        queue = GroupCommitQueue(limit: options.waitingLimit, store: "ledger", path: path)
        self.path = path
        equityLimit = max(8, options.equityLimit)
        self.heads = Mutex(heads)
    }

    /// Writes until nothing waits.
    func run(_ db: Database) {
        queue.drain { write($0, db) }
    }

    private func write(_ group: [Append], _ db: Database) -> GroupResult {
        var next = heads.withLock { $0 }
        let misfits = group.map { Self.misfit(in: $0.records, after: &next, path: path) }
        let fitting = zip(group, misfits).filter { $0.1 == nil }.map(\.0)
        var result = GroupResult(outcome: .empty, each: misfits.map { $0.map { .failure($0) } ?? .success(()) })
        guard fitting.contains(where: { $0.rows > 0 }) else { return result }
        do {
            try db.inTransaction(.immediate) {
                for append in fitting { try insert(append, db) }
                return .commit
            }
            heads.withLock { $0 = next }
            result.outcome = .committed(entries: fitting.reduce(0) { $0 + $1.records.count })
        } catch {
            let failure = StoreError(error, path: path, store: "ledger")
            result = GroupResult(outcome: .failed, each: misfits.map { .failure($0 ?? failure) })
        }
        return result
    }

    private func insert(_ append: Append, _ db: Database) throws {
        if !append.records.isEmpty {
            let statement = try db.cachedStatement(sql: LedgerSchema.insert)
            for record in append.records {
                statement.setUncheckedArguments([
                    record.account, record.sequence, record.time, record.kind, record.body, record.checksum,
                ])
                try statement.execute()
            }
        }
        guard !append.points.isEmpty else { return }
        let statement = try db.cachedStatement(sql: LedgerSchema.insertPoint)
        for point in append.points {
            statement.setUncheckedArguments([point.account, point.currency, point.timestamp, point.equity])
            try statement.execute()
            let count = try Int.fetchOne(
                db.cachedStatement(sql: "SELECT COUNT(*) FROM equity WHERE account = ? AND currency = ?"),
                arguments: [point.account, point.currency])
            if let count, count > equityLimit {
                try db.execute(
                    sql: LedgerSchema.thin, arguments: [point.account, point.currency, equityLimit / 2])
            }
        }
    }

    /// Why the records cannot follow what is written, and moves `heads` on where they can.
    ///
    /// After a failure all later entries of the account are refused as well, since the one before them is missing: a ledger
    /// never has a hole.
    private static func misfit(
        in records: [LedgerRecord], after heads: inout [String: Int], path: String
    ) -> StoreError? {
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
