import Foundation
import GRDB
import Synchronization

/// What happened in trading accounts, append-only, in a file of its own: SQLite in WAL mode, synced at each commit.
///
/// ```swift
/// let ledger = try LedgerStore(directory: DataDirectory.userDefault())
/// for name in try ledger.accounts() {
///     try ledger.load(name) { record in try account.apply(record) }   // the state follows from the log
/// }
/// ledger.append([record]) { result in … }                             // afterwards: on disk, or not at all
/// ```
///
/// Durability: `synchronous = FULL`, so that an entry whose completion ran survives the process and a power cut. What a sync
/// costs is shared: one writer puts everything that waits, from any number of callers, into one transaction.
///
/// What is not written did not happen: after a failure the completion says so, and every later entry of the account is
/// refused until its sequence number fits what is on disk again. After a failure, read the ledger again; that also
/// covers the case in which the entries are on disk and only their confirmation was lost.
///
/// Integrity: each entry has the SHA-256 of the entry before it and of itself (``LedgerHash``), and a signed file beside the
/// database says where each account ends (``headFileName``).
public final class LedgerStore: Sendable {
    /// The file's name inside a data directory.
    public static let fileName = "ledger.sqlite"
    /// Where each account's ledger ended, signed. It belongs to a copy of the ledger: copy it first, then the database, so
    /// that it names nothing that the copy lacks.
    public static let headFileName = "ledger.head"
    /// The secret that signs the head and the snapshots, where no other file is named. It belongs to a copy of the ledger too.
    public static let keyFileName = "ledger.key"

    public struct Options: Sendable {
        /// How long to wait for another process's lock.
        public var busyTimeout: Duration = .seconds(5)
        /// Entries that may wait for the disk (about 500 bytes each); beyond, appends fail at once.
        public var waitingLimit = 100_000
        /// Equity points kept for each account and currency. Beyond, every second one of the older half goes: the curve
        /// reaches back to its beginning, and the further back, the coarser it is.
        public var equityLimit = 4_000
        /// The file of the key; `nil`: in the data directory.
        public var keyFile: String?
        /// Opens a ledger that lacks entries that its head names, or whose head or key is missing, and keeps a new head.
        public var acceptsLoss = false
        /// Deletes the ledger that is there, and begins an empty one.
        public var startsEmpty = false
        /// Called now and then while a ledger of version 0.1 is converted: how many entries are done, of how many.
        public var onUpgrade: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
        /// Runs what the ledger does in the background, in place of its own threads: for tests that drive the time. The
        /// head is then written by `writeHead` alone.
        package var runner: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

        public init() {}
    }

    /// The database file.
    public var path: String { queue.path }
    let queue: GroupCommitQueue<Append>
    let equityLimit: Int
    let key: LedgerKey
    // Locks only for the compiler: the writer queue is serial.
    /// The last entry of each account on disk.
    let heads: Mutex<[String: LedgerPosition]>
    let curves = Mutex(EquityCurves())
    let headWriter: LedgerHeadWriter
    /// What is missing, where it was accepted.
    public let acceptedLoss: String?
    /// Entries that the head did not name: after a crash those of its last second.
    public let entriesBeyondHead: Int
    /// Why the key's file does not say that this ledger has a head; `nil`: it does.
    public let keyProblem: StoreError?

    /// Opens or creates `ledger.sqlite` in a data directory, and checks it against its head.
    ///
    /// A ledger of version 0.1 is converted, which takes some seconds for each 100,000 entries, and disk space for a file that is
    /// at most half as large again; the old file is kept beside it.
    /// - Throws: `StoreError`, whose description is a sentence for the user; with the code `lost` where the ledger is not the
    ///   one that was written.
    public init(directory: String, options: Options = Options()) throws(StoreError) {
        let files = LedgerFiles(directory: directory, keyFile: options.keyFile)
        try DataDirectory.create(directory)
        if options.startsEmpty { try files.remove() }
        let expected =
            try options.startsEmpty
            ? LedgerFiles.Expected(key: LedgerKey(file: files.key))
            : files.expected(acceptsLoss: options.acceptsLoss)
        var upgrade = LedgerUpgrade(path: files.database)
        upgrade.busyTimeout = options.busyTimeout
        upgrade.report = { if case .copied(let done, let total) = $0 { options.onUpgrade(done, total) } }
        try upgrade.run()
        queue = try GroupCommitQueue(
            Self.fileName, in: directory, store: "ledger", limit: options.waitingLimit,
            busyTimeout: options.busyTimeout, LedgerSchema.migrator, runner: options.runner)
        equityLimit = max(8, options.equityLimit)
        let pool = queue.pool
        do {
            let found = try pool.read(LedgerReading.heads)
            var problem = expected.problem
            if problem == nil {
                problem = try pool.read { db in try files.problem(of: expected.head, found, db) }
            }
            if let problem, !options.acceptsLoss { throw problem }
            acceptedLoss = problem?.description
            entriesBeyondHead = (expected.head?.accounts ?? found).reduce(0) { sum, named in
                sum + max(0, (found[named.key]?.sequence ?? 0) - named.value.sequence)
            }
            key = try expected.key ?? LedgerKey(creating: files.key)
            heads = Mutex(found)
            headWriter = LedgerHeadWriter(
                path: files.head, key: key, head: LedgerHead(accounts: found), isTimed: options.runner == nil)
            // First the head, then that there is one: a crash between the two raises no alarm.
            try headWriter.flush()
            keyProblem = key.namesHead(in: directory) ? nil : files.addHeadToKey()
            try pool.write { db in
                guard try !LedgerFiles.isHeadKept(db) else { return }
                try db.execute(sql: "INSERT INTO ledger_head (is_kept) VALUES (1)")
            }
        } catch {
            let failure = queue.failure(error)
            try? pool.close()
            throw failure
        }
    }

    // MARK: Writing

    /// Writes entries and equity points, and what was refused, all of them or none. Of equity points that follow each other
    /// within a hundredth of a second it may keep the last alone.
    ///
    /// Made for event loops: a short lock, no IO. Appends are written in the order of the calls.
    /// - Parameter completion: runs on the writer's thread after the commit, or after the failure; in the order of the calls,
    ///   save for those that are refused at once (too much waits, or the store is closed), which run on the caller's. It
    ///   holds up the next group, so it should only pass the news on.
    public func append(
        _ records: [LedgerRecord], equity points: [EquityPoint] = [], refused: [RefusedRecord] = [],
        then completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        add(Append(records: records, points: points, refused: refused, completion: completion))
    }

    /// Writes entries and returns when they are on disk.
    /// - Throws: `StoreError`; then none of them is.
    public func append(_ records: [LedgerRecord]) async throws {
        try await withCheckedThrowingContinuation { continuation in
            append(records) { continuation.resume(with: $0) }
        }
    }

    /// Writes an account's state at an entry that is on disk, in place of all but the last one before.
    public func keep(
        _ snapshot: LedgerSnapshot, then completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        add(Append(snapshot: snapshot, completion: completion))
    }

    private func add(_ append: Append) { queue.add(append) { [self] in run($0) } }

    // MARK: The rest

    /// Counters since the ledger was opened.
    public var statistics: GroupCommitStatistics { queue.statistics }

    /// Writes the head now. It is written by itself, a second after the first entry that it does not name.
    package func writeHead() throws { try headWriter.flush() }

    /// Why the head beside the ledger could not be written the last time; `nil`: it was.
    public var headProblem: StoreError? { headWriter.problem }

    /// Writes what waits and closes the file. Later appends are refused. A second call does nothing.
    public func close() throws {
        guard !queue.isClosed else { return }
        try queue.close { db in
            run(db)
            // A copy of the file alone shall be whole.
            _ = try? db.checkpoint(.truncate)
        }
        try headWriter.flush()
    }
}
