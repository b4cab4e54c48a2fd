import MarketModel
import Synchronization

/// The rows between the hot path and the writer: bounded, and never waited for.
///
/// The lock is held for an array append or a swap, never during IO. A lock, and not an `AsyncStream` of rows, because a
/// failed batch must go back to the front.
final class WriteBuffer: Sendable {
    private struct State {
        var rows: [StoredCandle] = []
        /// With the writer.
        var inFlight: [StoredCandle] = []
        var unreportedDrops = 0
        var isClosed = false
        var statistics = StoreStatistics()
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) { self.limit = max(1, limit) }

    /// Appends what fits.
    /// - Returns: how many rows wait now.
    func append(_ rows: some Collection<StoredCandle>) -> Int {
        state.withLock { state in
            guard !state.isClosed else {
                state.statistics.refusedRows += rows.count
                return state.rows.count
            }
            for row in rows {
                // One NaN would be stored as NULL, break the batch's constraint and block every later batch.
                guard row.candle.isWellFormed else {
                    state.statistics.refusedRows += 1
                    continue
                }
                guard state.rows.count + state.inFlight.count < limit else {
                    state.statistics.droppedRows += 1
                    state.unreportedDrops += 1
                    continue
                }
                state.rows.append(row)
            }
            return state.rows.count
        }
    }

    /// Hands all waiting rows to the writer, which answers with `finish` or `putBack`.
    func beginBatch() -> [StoredCandle] {
        state.withLock { state in
            let batch = state.rows
            state.rows = []
            state.inFlight = batch
            return batch
        }
    }

    /// - Parameter time: adds how long it took.
    func finish(_ batch: [StoredCandle], time: (inout CommitTimes) -> Void = { _ in }) {
        state.withLock { state in
            time(&state.statistics.times)
            state.inFlight = []
            state.statistics.writtenRows += batch.count
            state.statistics.batches += 1
            // The next batch is likely as large: reuse the memory unless rows came in the meantime.
            if state.rows.isEmpty { state.rows.reserveCapacity(min(batch.count, 4096)) }
        }
    }

    func putBack(_ batch: [StoredCandle]) {
        state.withLock { state in
            state.inFlight = []
            state.statistics.failedBatches += 1
            // In front: of two rows with one key the later must stay the later.
            state.rows = batch + state.rows
        }
    }

    func close() { state.withLock { $0.isClosed = true } }

    /// Rows dropped since the last call.
    func drainDrops() -> Int {
        state.withLock { state in
            defer { state.unreportedDrops = 0 }
            return state.unreportedDrops
        }
    }

    /// Whether a candle of this series that starts before `end` waits, or is being written.
    /// - Complexity: O(rows that wait), nearly always one comparison of numbers each.
    func holds(_ key: SeriesKey, before end: Double) -> Bool {
        state.withLock { state in
            func isOne(_ row: StoredCandle) -> Bool {
                row.candle.timestamp < end && row.timeframe == key.timeframe && row.symbol == key.symbol
            }
            return state.rows.contains(where: isOne) || state.inFlight.contains(where: isOne)
        }
    }

    var statistics: StoreStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.pendingRows = state.rows.count + state.inFlight.count
            return statistics
        }
    }
}

/// What the background writer reports, for logs and metrics.
public enum StoreEvent: Sendable, Equatable {
    /// A batch was written in one transaction.
    case flushed(rows: Int)
    /// A batch could not be written; its rows are kept and tried again. Reported at the 1st, 2nd, 4th, 8th... failure in a
    /// row, so that a full disk does not fill the log as well.
    case writeFailed(StoreError, failuresInARow: Int, pendingRows: Int)
    /// The first batch after failures was written.
    case recovered(afterFailures: Int)
    /// The buffer was full, and this many new rows were lost since the last such event.
    case dropped(rows: Int)
}

/// Counters of a store since it was opened.
public struct StoreStatistics: Sendable, Equatable {
    /// Rows in the buffer or in the batch that is being written.
    public var pendingRows = 0
    public var writtenRows = 0
    public var batches = 0
    public var failedBatches = 0
    /// Rows lost because the buffer was full (after long write failures).
    public var droppedRows = 0
    /// Rows that were refused: a malformed candle, or the store was closed.
    public var refusedRows = 0
    package var times = CommitTimes()
}
