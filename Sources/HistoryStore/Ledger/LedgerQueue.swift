import Synchronization

/// What waits to be written: bounded, and handed to the writer as one group.
final class LedgerQueue: Sendable {
    /// What one caller wants written, all of it or nothing.
    struct Append: Sendable {
        var records: [LedgerRecord]
        var points: [EquityPoint]
        var completion: @Sendable (Result<Void, StoreError>) -> Void
    }

    enum Verdict {
        /// Kept, and the writer is not running: it is to be started.
        case start
        /// Kept; the writer runs and will find it.
        case wait
        case full, closed
    }

    private struct State {
        var waiting: [Append] = []
        var rows = 0
        var isWriterDue = false
        var isClosed = false
        var statistics = LedgerStatistics()
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func add(_ append: Append) -> Verdict {
        state.withLock { state in
            guard !state.isClosed else { return .closed }
            let rows = append.records.count + append.points.count
            guard rows == 0 || state.rows + rows <= limit else { return .full }
            state.waiting.append(append)
            state.rows += rows
            if state.isWriterDue { return .wait }
            state.isWriterDue = true
            return .start
        }
    }

    /// All that waits; `nil` where nothing does: then the writer ends, and the next append starts it anew.
    func take() -> [Append]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriterDue = false
                return nil
            }
            defer {
                state.waiting = []
                state.rows = 0
            }
            return state.waiting
        }
    }

    func close() { state.withLock { $0.isClosed = true } }

    func count(entries: Int, failed: Bool) {
        state.withLock { state in
            if failed {
                state.statistics.failedGroups += 1
                state.statistics.isFailing = true
            } else {
                state.statistics.writtenEntries += entries
                state.statistics.groups += 1
                state.statistics.isFailing = false
            }
        }
    }

    var statistics: LedgerStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.waitingRows = state.rows
            return statistics
        }
    }
}

/// Counters of a ledger since it was opened.
public struct LedgerStatistics: Sendable, Equatable {
    public var writtenEntries = 0
    /// Transactions that were committed and synced.
    public var groups = 0
    public var failedGroups = 0
    /// Whether the last group could not be written.
    public var isFailing = false
    /// Entries and points that wait for the writer.
    public var waitingRows = 0
}
