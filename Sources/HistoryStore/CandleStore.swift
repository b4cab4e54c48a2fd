import Foundation
import GRDB
import Synchronization

/// Candles on disk: SQLite in WAL mode, written in batches off the hot path, read page by page.
///
/// ```swift
/// let store = try CandleStore(directory: DataDirectory.userDefault())
/// store.enqueue(StoredCandle(symbol: "BTC-USD", timeframe: .m1, candle: candle))   // from an event loop
/// let page = try await store.candles(symbol: "BTC-USD", timeframe: .m1, limit: 300)
/// try await store.close()
/// ```
///
/// Durability: a row is in the database file or its write-ahead log at most one flush interval (250 ms) after
/// `enqueue`. `synchronous = NORMAL` is enough for `kill -9`: what `write(2)` accepted belongs to the kernel, and
/// outlives the process. Only a power cut or a kernel crash may lose the last transactions (never
/// damage older ones); `FULL` would guard against that at the price of one `fsync` a batch.
public final class CandleStore: Sendable {
    /// The file's name inside a data directory.
    public static let fileName = "candlewire.sqlite"

    /// How the background writer works. The defaults are for production.
    public struct Options: Sendable {
        /// The longest a row waits in memory.
        public var flushInterval: Duration = .milliseconds(250)
        /// This many waiting rows are written at once, without waiting for the interval.
        public var batchRows = 5_000
        /// This many rows are kept while writing fails (about 100 bytes each). Beyond it **new** rows are dropped,
        /// counted and reported: that costs the event loop nothing, whereas making room would.
        public var bufferLimit = 200_000
        /// How long to wait for another process's lock.
        public var busyTimeout: Duration = .seconds(5)
        /// Times the flush interval. Tests pass a manual one.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// Called by the background writer, never by `enqueue`.
        public var onEvent: @Sendable (StoreEvent) -> Void = { _ in }

        public init() {}
    }

    /// The database file.
    public let path: String
    let pool: DatabasePool
    let writer: BatchWriter
    private let runner: Task<Void, Never>
    private let isClosed = Mutex(false)

    /// Opens the store `candlewire.sqlite` of a data directory.
    /// - Parameter mustExist: whether a missing store is an error; otherwise it is created with its folders.
    /// - Throws: `StoreError`, whose description is a sentence for the user.
    public convenience init(
        directory: String, mustExist: Bool = false, options: Options = Options()
    ) throws(StoreError) {
        let path = DataDirectory.path(of: CandleStore.fileName, in: directory)
        try self.init(path: path, mustExist: mustExist, options: options)
    }

    /// Opens or creates the database file at `path`, and its folders.
    public init(path: String, mustExist: Bool = false, options: Options = Options()) throws(StoreError) {
        self.path = path
        pool = try CandleStore.open(path, mustExist: mustExist, busyTimeout: options.busyTimeout)
        let writer = BatchWriter(pool: pool, path: path, options: options)
        self.writer = writer
        // The task holds the writer, not the store: a store that is let go stops its writer in `deinit`.
        runner = Task { await writer.run() }
    }

    deinit { writer.stop() }

    private static func open(
        _ path: String, mustExist: Bool, busyTimeout: Duration
    ) throws(StoreError) -> DatabasePool {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        if exists, isDirectory.boolValue {
            throw StoreError(
                .notADirectory, "The candle store \(path) is a directory, not a file; choose another path.")
        }
        if !exists {
            guard !mustExist else {
                throw StoreError(
                    .missing,
                    "There is no candle store at \(path); run `candlewire serve` first or choose another directory."
                )
            }
            try DataDirectory.create(DataDirectory.folder(of: path))
        }
        do {
            return try DatabasePool.open(
                path, label: "history", store: "candle store", busyTimeout: busyTimeout, Schema.migrator,
                synchronous: "NORMAL", frees: true)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Moves candles that start after `time` out of their series, into the table `quarantined_candles`: they were written
    /// under a wrong clock, and newer candles would never follow them.
    /// - Parameter time: seconds since 1970 UTC.
    /// - Returns: how many were moved.
    /// - Complexity: O(series · log n) where there are none: for 500 markets of 16 timeframes 20 ms, and 0.7 s where the pages,
    ///   which are read next anyway, come from the disk. An index by time would double the file.
    public func quarantine(after time: Double) async throws -> Int {
        // Read first: another process may be writing, and mostly there is nothing to do.
        let series = try await read { db in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT id FROM series
                    WHERE (SELECT max(timestamp) FROM candles WHERE candles.series = series.id) > ?
                    """, arguments: [time])
        }
        guard !series.isEmpty else { return 0 }
        return try await write { db in
            var moved = 0
            for id in series {
                try db.execute(
                    sql: """
                        INSERT OR REPLACE INTO quarantined_candles
                        SELECT * FROM candles WHERE series = ? AND timestamp > ?
                        """, arguments: [id, time])
                try db.execute(
                    sql: "DELETE FROM candles WHERE series = ? AND timestamp > ?", arguments: [id, time])
                moved += db.changesCount
                // What was fetched of the future was fetched of another time.
                try db.execute(sql: "DELETE FROM coverage WHERE series = ? AND stop > ?", arguments: [id, time])
            }
            return moved
        }
    }

    // MARK: Writing

    /// Hands rows to the background writer. Made for event loops: a short lock, no IO, no `await`, no error; a
    /// malformed candle or one beyond the buffer's limit is counted in `statistics`.
    public func enqueue(_ rows: some Collection<StoredCandle>) { writer.enqueue(rows) }

    /// Hands one row to the background writer.
    public func enqueue(_ row: StoredCandle) { writer.enqueue(CollectionOfOne(row)) }

    /// Writes everything that was enqueued before the call.
    /// - Throws: `StoreError`; the rows are kept and will be tried again.
    public func flush() async throws { try await writer.flush() }

    /// Writes what is left and closes the file. Rows enqueued later are refused and counted. A second call
    /// does nothing.
    /// - Throws: `StoreError` when the last rows could not be written; the store is closed all the same.
    public func close() async throws {
        let first = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard first else { return }
        writer.buffer.close()
        writer.stop()
        await runner.value
        var failure: (any Error)?
        do { try await writer.flush() } catch { failure = error }
        // GRDB's read-only connections close last, and those may not fold the log into the database: without this it
        // would stay beside it, and a copy of the file alone would be empty. It waits for our readers; another process's may
        // prevent it.
        _ = try? await pool.barrierWriteWithoutTransaction { try $0.checkpoint(.truncate) }
        do { try pool.close() } catch { failure = failure ?? StoreError(error, path: path) }
        if let failure { throw failure }
    }

    /// Counters since the store was opened.
    public var statistics: StoreStatistics { writer.buffer.statistics }
}
