import GRDB
import Synchronization

/// One piece of work for a group: written whole, or not at all.
protocol GroupWork: Sendable {
    /// The rows that it adds to those that wait.
    var rows: Int { get }
    /// Runs after the commit, or after the failure.
    var completion: @Sendable (Result<Void, StoreError>) -> Void { get }
}

/// A file that is written in groups, and the work that waits for it, bounded.
///
/// Everything that waits goes into one transaction, and so shares one sync of the disk. One writer runs at a time, on the
/// database's serial writer queue; while it runs, new work is added without starting another.
final class GroupCommitQueue<Work: GroupWork>: Sendable {
    private enum Verdict { case first, waits, full, closed }

    private struct State {
        var waiting: [Work] = []
        var rows = 0
        var isWriterStarted = false
        var isClosed = false
        /// Of the transaction that is being written.
        var commitBegan: ContinuousClock.Instant?
        var statistics = GroupCommitStatistics()
    }

    let path: String
    let pool: DatabasePool
    private let state = Mutex(State())
    private let limit: Int
    /// Begins to write; `nil`: the database's own writer queue does.
    private let runner: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
    /// As messages name the store: "ledger".
    private let store: String

    /// Opens or creates the file: SQLite in WAL mode, synced at each commit.
    /// - Parameter more: other pragmas of each connection.
    init(
        _ file: String, in directory: String, store: String, limit: Int, busyTimeout: Duration,
        _ migrator: DatabaseMigrator, more: String = "",
        runner: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil
    ) throws(StoreError) {
        self.runner = runner
        self.limit = limit
        self.store = store
        path = DataDirectory.path(of: file, in: directory)
        try DataDirectory.create(directory)
        do {
            pool = try DatabasePool.open(
                path, label: file, store: store, busyTimeout: busyTimeout, migrator, synchronous: "FULL" + more,
                pageBytes: documentPageBytes)
            try Self.foldLog(pool)
        } catch {
            throw StoreError(error, path: path, store: store)
        }
    }

    /// Copies what the write-ahead log has into the file, and syncs that.
    ///
    /// GRDB writes a transaction of its own when it opens the file, without a sync. Left in the log, it would be lost with the
    /// first sync that fails: Linux drops what that should have written, and SQLite writes only the failed transaction again.
    /// A power cut would then take every later entry with it, although each of them was synced.
    private static func foldLog(_ pool: DatabasePool) throws {
        try pool.writeWithoutTransaction { db in
            do {
                _ = try db.checkpoint(.truncate)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                // Another process reads.
                _ = try db.checkpoint(.passive)
            }
        }
    }

    func failure(_ error: any Error) -> StoreError { StoreError(error, path: path, store: store) }

    func read<R: Sendable>(_ body: @escaping @Sendable (Database) throws -> R) async throws -> R {
        do { return try await pool.read(body) } catch { throw failure(error) }
    }

    /// Adds work behind everything that waits. Refuses it at once, on the caller's thread, where too much waits or the queue
    /// is closed.
    /// - Parameter run: writes what waits (`drain`): begun where it does not run already.
    func add(_ work: Work, _ run: @escaping @Sendable (Database) -> Void) {
        let verdict: Verdict = state.withLock { state in
            if state.isClosed { return .closed }
            guard work.rows == 0 || state.rows + work.rows <= limit else { return .full }
            state.waiting.append(work)
            state.rows += work.rows
            defer { state.isWriterStarted = true }
            return state.isWriterStarted ? .waits : .first
        }
        switch verdict {
        case .waits: break
        case .first:
            guard let runner else { return pool.asyncWriteWithoutTransaction(run) }
            runner { [pool] in pool.writeWithoutTransaction(run) }
        case .closed: work.completion(.failure(StoreError(.closed, "The \(store) \(path) is closed.")))
        case .full:
            let sentence = "The \(store) \(path) cannot keep up: too much waits for the disk; try again later."
            work.completion(.failure(StoreError(.busy, sentence)))
        }
    }

    /// Writes groups until nothing waits, and runs the completions of each in their order.
    /// - Parameter write: writes a group in one transaction. Returns what became of each piece of work (one that does not fit
    ///   fails alone), and how many entries were written; `nil`: there were none to write.
    func drain(_ write: ([Work]) -> (each: [Result<Void, StoreError>], written: Result<Int, StoreError>?)) {
        while let group = popAll() {
            let start = ContinuousClock.now
            let (each, written) = write(group)
            let end = ContinuousClock.now
            state.withLock { state in
                let commit = state.commitBegan
                state.commitBegan = nil
                guard let written else { return }
                state.statistics.add(written)
                if case .success = written { state.statistics.times.add(from: start, commit: commit, to: end) }
            }
            for (work, result) in zip(group, each) { work.completion(result) }
        }
    }

    /// For `CommitTimes`: to be called where all of a transaction is written but its COMMIT.
    func commitBegins() { state.withLock { $0.commitBegan = .now } }

    /// All that waits; `nil` where nothing does: then the writer ends, and the next work starts it again.
    private func popAll() -> [Work]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriterStarted = false
                return nil
            }
            defer { (state.waiting, state.rows) = ([], 0) }
            return state.waiting
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Refuses all later work, and closes the file. A second call does nothing.
    /// - Parameter last: writes what waits.
    func close(_ last: (Database) -> Void) throws {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        do {
            pool.writeWithoutTransaction(last)
            try pool.close()
        } catch {
            throw failure(error)
        }
    }

    var statistics: GroupCommitStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.waitingRows = state.rows
            return statistics
        }
    }
}

/// Counters of a store that is written in groups, since it was opened.
public struct GroupCommitStatistics: Sendable, Equatable {
    public var writtenEntries = 0
    /// Transactions that were committed and synced.
    public var groups = 0
    public var failedGroups = 0
    /// Whether the last group could not be written.
    public var isFailing = false
    /// Rows that wait for the writer.
    public var waitingRows = 0
    package var times = CommitTimes()

    fileprivate mutating func add(_ group: Result<Int, StoreError>) {
        switch group {
        case .failure:
            failedGroups += 1
            isFailing = true
        case .success(let entries):
            writtenEntries += entries
            groups += 1
            isFailing = false
        }
    }
}
