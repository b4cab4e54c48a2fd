import Synchronization

/// What waits to be written: bounded, and handed to the writer as one group.
final class ConversationWrites: Sendable {
    typealias Completion = @Sendable (Result<Void, StoreError>) -> Void

    enum Work: Sendable {
        case append(ConversationAppend, Completion)
        case delete([String], Completion)

        var rows: Int {
            switch self {
            case .append(let append, _): append.records.count
            case .delete(let conversations, _): conversations.count
            }
        }

        var completion: Completion {
            switch self {
            case .append(_, let completion), .delete(_, let completion): completion
            }
        }
    }

    enum Verdict {
        /// Kept, and the writer is not running: it is to be started.
        case start
        /// Kept; the writer runs and will find it.
        case wait
        case full, closed
    }

    private struct State {
        var waiting: [Work] = []
        var rows = 0
        var isWriterDue = false
        var isClosed = false
        var statistics = ConversationStatistics()
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func add(_ work: Work) -> Verdict {
        state.withLock { state in
            guard !state.isClosed else { return .closed }
            guard state.rows + work.rows <= limit else { return .full }
            state.waiting.append(work)
            state.rows += work.rows
            if state.isWriterDue { return .wait }
            state.isWriterDue = true
            return .start
        }
    }

    /// All that waits; `nil` where nothing does: then the writer ends, and the next work starts it anew.
    func take() -> [Work]? {
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

    /// Whether deleted text may still stand in the log of changes.
    func remains(_ remains: Bool) {
        state.withLock { state in
            state.statistics.hasRemains = remains
            if !remains { state.statistics.deletedRemaining = 0 }
        }
    }

    /// So many conversations are gone from the tables, and not from the log of changes.
    func deleted(_ count: Int) { state.withLock { $0.statistics.deletedRemaining += count } }

    func close() { state.withLock { $0.isClosed = true } }

    func count(entries: Int, failed: Bool) {
        state.withLock { state in
            state.statistics.isFailing = failed
            if failed {
                state.statistics.failedGroups += 1
            } else {
                state.statistics.writtenEntries += entries
                state.statistics.groups += 1
            }
        }
    }

    var statistics: ConversationStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.waitingRows = state.rows
            return statistics
        }
    }
}

/// Counters of a store of conversations since it was opened.
public struct ConversationStatistics: Sendable, Equatable {
    public var writtenEntries = 0
    /// Transactions that were committed and synced.
    public var groups = 0
    public var failedGroups = 0
    /// Whether the last group could not be written.
    public var isFailing = false
    /// Whether what was deleted may still stand in the file of changes (`-wal`), because somebody reads an earlier state.
    public var hasRemains = false
    /// Conversations deleted since the store was opened, of which that may still stand there.
    public var deletedRemaining = 0
    /// Entries that wait for the writer.
    public var waitingRows = 0
}
