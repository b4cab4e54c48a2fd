import HistoryStore
import Logging
import MarketModel
import StreamCore
import Synchronization

/// Made histories on their way to the store, which takes seconds while the server is already open.
///
/// Until a market's history is stored, its live candles are held here: a store with the newest candles and not those before
/// them would pass for whole at the next start. Who reads candles that are no longer in memory waits as long.
final class HistoryImports: Sendable {
    /// Live rows that are held of one market; more are lost.
    static let limit = 50_000

    private struct Pending {
        var rows: [StoredCandle] = []
        var readers: [CheckedContinuation<Void, Never>] = []
    }

    private struct State {
        var pending: [String: Pending] = [:]
        var isCancelled = false
        var isFailing = false
    }

    private let store: CandleStore
    private let logger: Logger
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    /// - Parameter clock: for the pauses between attempts.
    init(_ store: CandleStore, logger: Logger, clock: any Clock<Duration> = ContinuousClock()) {
        self.store = store
        self.logger = logger
        self.clock = clock
    }

    /// Markets whose history is not stored yet.
    var count: Int { state.withLock { $0.pending.count } }

    /// What is wrong, in a sentence.
    var problem: String? {
        state.withLock { $0.isFailing ? "The simulated history cannot be stored; retrying." : nil }
    }

    /// From here on a market's rows are held. Before it trades.
    func begin(_ symbol: String) { state.withLock { $0.pending[symbol] = Pending() } }

    /// Hands live rows to the store, or holds them. On the market loop.
    func enqueue(_ rows: [StoredCandle], symbol: String) {
        let isHeld = state.withLock { state in
            guard let held = state.pending[symbol]?.rows.count else { return false }
            state.pending[symbol]?.rows += rows.prefix(max(0, Self.limit - held))
            return true
        }
        if !isHeld { store.enqueue(rows) }
    }

    /// Returns when a market's history is stored, or will not be any more.
    func wait(for symbol: String) async {
        await withCheckedContinuation { reader in
            let isOver = state.withLock { state in
                guard !state.isCancelled, state.pending[symbol] != nil else { return true }
                state.pending[symbol]?.readers.append(reader)
                return false
            }
            if isOver { reader.resume() }
        }
    }

    /// Stores the histories, one after another, and tries again what cannot be stored, with pauses that grow. Ends early
    /// where the task is cancelled.
    func run(_ histories: [(String, SimulatedHistory.Result)]) async {
        var failures = 0
        for (symbol, history) in histories {
            while !Task.isCancelled {
                do {
                    try await importHistory(history, symbol)
                    break
                } catch {
                    // The server stops; the store has an error of its own for that.
                    guard !Task.isCancelled else { return }
                    if failures == 0 {
                        logger.error("simulated history cannot be stored", metadata: ["error": "\(error)"])
                    }
                    failures += 1
                    state.withLock { $0.isFailing = true }
                    try? await clock.sleep(for: .seconds(FirstLoading.pauses.wait(before: failures)))
                }
            }
        }
        if failures > 0, count == 0 { logger.notice("simulated history is stored") }
    }

    private func importHistory(_ history: SimulatedHistory.Result, _ symbol: String) async throws {
        // Seconds last: where there are seconds in the store, the rest is there too.
        for (timeframe, candles) in history.candles.reversed() where !candles.isEmpty {
            try Task.checkCancellation()
            _ = try await store.importCandles(candles, symbol: symbol, timeframe: timeframe)
        }
        let readers = state.withLock { state in
            let held = state.pending.removeValue(forKey: symbol)
            state.isFailing = false
            // Under the lock: rows that come now must follow these.
            if let held { store.enqueue(held.rows) }
            return held?.readers ?? []
        }
        for reader in readers { reader.resume() }
    }

    /// Lets readers go. What is held of markets without a stored history is forgotten, as it must be.
    func cancel() {
        let readers = state.withLock { state in
            state.isCancelled = true
            let readers = state.pending.values.flatMap(\.readers)
            for symbol in state.pending.keys { state.pending[symbol]?.readers = [] }
            return readers
        }
        for reader in readers { reader.resume() }
    }
}
