import Foundation
import GRDB
import Synchronization

/// What happened in trading accounts, append-only, in a file of its own: SQLite in WAL mode, synced at each commit.
///
/// ```swift
/// let ledger = try LedgerStore(directory: DataDirectory.userDefault())
/// try ledger.load { record in try account.apply(record) }        // the state follows from the log
/// ledger.append([record]) { result in … }                        // afterwards: on disk, or not at all
/// ```
///
/// Durability: `synchronous = FULL`, so that an entry whose completion ran survives the process and a power cut. What a sync
/// costs is shared: one writer puts everything that waits, from any number of callers, into one transaction.
///
/// What is not written did not happen: after a failure the completion says so, and every later entry of the account is
/// refused until its sequence number fits what is on disk again. After a failure, read the ledger again; that also
/// covers the case in which the entries are on disk and only their confirmation was lost.
public final class LedgerStore: Sendable {
    /// The file's name inside a data directory.
    public static let fileName = "ledger.sqlite"

    public struct Options: Sendable {
        /// How long to wait for another process's lock.
        public var busyTimeout: Duration = .seconds(5)
        /// Entries that may wait for the disk (about 500 bytes each); beyond, appends fail at once.
        public var waitingLimit = 100_000
        /// Equity points kept for each account and currency. Beyond, every second one of the older half goes: the curve
        /// reaches back to its beginning, and the further back, the coarser it is.
        public var equityLimit = 4_000

        public init() {}
    }

    /// The database file.
    public var path: String { queue.path }
    let queue: GroupCommitQueue<Append>
    let equityLimit: Int
    /// The last sequence number of each account on disk. A lock only for the compiler: the writer queue is serial.
    let heads: Mutex<[String: Int]>

    /// Opens or creates `ledger.sqlite` in a data directory.
    /// - Throws: `StoreError`, whose description is a sentence for the user.
    public init(directory: String, options: Options = Options()) throws(StoreError) {
        queue = try GroupCommitQueue(
            Self.fileName, in: directory, store: "ledger", limit: options.waitingLimit,
            busyTimeout: options.busyTimeout, LedgerSchema.migrator)
        equityLimit = max(8, options.equityLimit)
        do { heads = Mutex(try queue.pool.read(Self.heads)) } catch { throw queue.failure(error) }
    }

    private static func heads(_ db: Database) throws -> [String: Int] {
        var heads: [String: Int] = [:]
        let rows = try Row.fetchCursor(db, sql: "SELECT account, MAX(sequence) FROM ledger GROUP BY account")
        while let row = try rows.next() { heads[row[0]] = row[1] }
        return heads
    }

    // MARK: Writing

    /// Writes entries and equity points, all of them or none.
    ///
    /// Made for event loops: a short lock, no IO. Appends are written in the order of the calls.
    /// - Parameter completion: runs on the writer's thread after the commit, or after the failure; in the order of the calls,
    ///   save for those that are refused at once (too much waits, or the store is closed), which run on the caller's. It
    ///   holds up the next group, so it should only pass the news on.
    public func append(
        _ records: [LedgerRecord], equity points: [EquityPoint] = [],
        then completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        queue.add(Append(records: records, points: points, completion: completion)) { [self] in run($0) }
    }

    /// Writes entries and returns when they are on disk.
    /// - Throws: `StoreError`; then none of them is.
    public func append(_ records: [LedgerRecord]) async throws {
        try await withCheckedThrowingContinuation { continuation in
            append(records) { continuation.resume(with: $0) }
        }
    }

    // MARK: Reading

    /// Reads every entry, account by account, each in its order.
    /// - Throws: `StoreError` with the code `corrupt` that names the account and the entry where one is missing or is not what
    ///   was written, and whatever `body` throws.
    public func load(_ body: (LedgerRecord) throws -> Void) throws {
        do {
            try queue.pool.read { db in
                var expected: (account: String, sequence: Int) = ("", 1)
                let rows = try Row.fetchCursor(
                    db,
                    sql: """
                        SELECT account, sequence, time, kind, body, checksum FROM ledger ORDER BY account, sequence
                        """)
                while let row = try rows.next() {
                    let record = LedgerRecord(
                        account: row[0], sequence: row[1], time: row[2], kind: row[3], body: row[4])
                    if record.account != expected.account { expected = (record.account, 1) }
                    guard record.sequence == expected.sequence else {
                        throw damaged("entry \(expected.sequence) of account \(record.account) is missing")
                    }
                    guard record.checksum == row[5] else {
                        throw damaged("entry \(record.sequence) of account \(record.account) is not what was written")
                    }
                    expected.sequence += 1
                    try body(record)
                }
            }
        } catch let error as DatabaseError {
            throw queue.failure(error)
        }
    }

    private func damaged(_ what: String) -> StoreError {
        StoreError(
            .corrupt,
            "The ledger \(path) is damaged: \(what). Restore it from a backup, or move it away to begin with new accounts."
        )
    }

    /// The newest equity points of an account in one currency, ascending.
    public func equity(account: String, currency: String, limit: Int) async throws -> [EquityPoint] {
        try await queue.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT timestamp, equity FROM equity WHERE account = ? AND currency = ?
                    ORDER BY timestamp DESC LIMIT ?
                    """,
                arguments: [account, currency, max(0, limit)])
            return rows.reversed().map {
                EquityPoint(account: account, currency: currency, timestamp: $0[0], equity: $0[1])
            }
        }
    }

    // MARK: The rest

    /// Counters since the ledger was opened.
    public var statistics: GroupCommitStatistics { queue.statistics }

    /// Writes what waits and closes the file. Later appends are refused. A second call does nothing.
    public func close() throws {
        try queue.close { db in
            run(db)
            // A copy of the file alone shall be whole.
            _ = try? db.checkpoint(.truncate)
        }
    }

    /// Deletes the ledger in `directory`, if there is one. It must not be open.
    public static func remove(directory: String) throws(StoreError) {
        try CandleStore.remove(fileName, from: directory, called: "ledger")
    }
}
