import GRDB
import Synchronization

/// Writes groups: everything that waits goes into one transaction, and so shares one sync of the disk.
///
/// Confined to the database's writer queue, which is serial.
final class LedgerWriter: Sendable {
    let queue: LedgerQueue
    private let path: String
    private let equityLimit: Int
    /// The last sequence number of each account on disk. A lock only for the compiler: the writer queue is serial.
    private let heads: Mutex<[String: Int]>

    init(path: String, options: LedgerStore.Options, heads: [String: Int]) {
        queue = LedgerQueue(limit: options.waitingLimit)
        self.path = path
        equityLimit = max(8, options.equityLimit)
        self.heads = Mutex(heads)
    }

    /// Writes until nothing waits.
    func run(_ db: Database) {
        while let group = queue.take() { write(group, db) }
    }

    private func write(_ group: [LedgerQueue.Append], _ db: Database) {
        var next = heads.withLock { $0 }
        var results: [Result<Void, StoreError>] = []
        var entries = 0
        var rows = 0
        for append in group {
            // Each append by itself: one that does not fit must not take those of others with it.
            if let misfit = Self.misfit(in: append.records, after: &next, path: path) {
                results.append(.failure(misfit))
            } else {
                results.append(.success(()))
                entries += append.records.count
                rows += append.records.count + append.points.count
            }
        }
        if rows > 0 {
            do {
                try db.inTransaction(.immediate) {
                    for (append, result) in zip(group, results) {
                        guard case .success = result else { continue }
                        try insert(append, db)
                    }
                    return .commit
                }
                heads.withLock { $0 = next }
                queue.count(entries: entries, failed: false)
            } catch {
                let failure = StoreError(error, path: path, store: "ledger")
                for index in results.indices {
                    if case .success = results[index] { results[index] = .failure(failure) }
                }
                queue.count(entries: 0, failed: true)
            }
        }
        for (append, result) in zip(group, results) { append.completion(result) }
    }

    private func insert(_ append: LedgerQueue.Append, _ db: Database) throws {
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
