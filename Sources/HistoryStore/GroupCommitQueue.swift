import GRDB
import Synchronization

/// One piece of work for a group: written whole, or not at all.
protocol GroupWork: Sendable {
    /// The rows that it adds to those that wait.
    var rows: Int { get }
    /// Runs after the commit, or after the failure.
    var completion: @Sendable (Result<Void, StoreError>) -> Void { get }
}

/// What became of a group.
struct GroupResult {
    enum Outcome {
        case committed(entries: Int)
        case failed
        /// There was nothing to write.
        case empty
    }

    var outcome: Outcome
    /// For each piece of work: one that does not fit fails alone.
    var each: [Result<Void, StoreError>]
}

/// Work that waits to be written: bounded, and written in groups.
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
        var statistics = GroupCommitStatistics()
    }

    private let state = Mutex(State())
    private let limit: Int
    /// As messages name the store: "ledger".
    private let store: String
    private let path: String

    init(limit: Int, store: String, path: String) {
        self.limit = limit
        self.store = store
        self.path = path
    }

    /// Adds work behind everything that waits. Refuses it at once, on the caller's thread, where too much waits or the queue
    /// is closed.
    /// - Parameter start: starts the writer, where none runs: `write` until it returns.
    func add(_ work: Work, start: () -> Void) {
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
        case .first: start()
        case .closed: work.completion(.failure(StoreError(.closed, "The \(store) \(path) is closed.")))
        case .full:
            let sentence = "The \(store) \(path) cannot keep up: too much waits for the disk; try again later."
            work.completion(.failure(StoreError(.busy, sentence)))
        }
    }

    /// Writes groups until nothing waits, and runs the completions of each in their order.
    /// - Parameter write: writes a group in one transaction.
    func drain(_ write: ([Work]) -> GroupResult) {
        while let group = popAll() {
            let result = write(group)
            state.withLock { $0.statistics.finishGroup(result.outcome) }
            for (work, result) in zip(group, result.each) { work.completion(result) }
        }
    }

    /// All that waits; `nil` where nothing does: then the writer ends, and the next work starts it anew.
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

    /// Refuses all later work. What waits is still to be drained.
    func close() { state.withLock { $0.isClosed = true } }

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

    fileprivate mutating func finishGroup(_ outcome: GroupResult.Outcome) {
        switch outcome {
        case .empty: break
        case .failed:
            failedGroups += 1
            isFailing = true
        case .committed(let entries):
            writtenEntries += entries
            groups += 1
            isFailing = false
        }
    }
}
