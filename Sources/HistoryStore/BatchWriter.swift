import GRDB
import Synchronization

/// Moves the buffer to the database: at every interval, at a full batch, or on `flush`.
///
/// One transaction a batch. Batches begin on GRDB's serial writer queue, so two flushes at once can neither
/// overtake each other nor lose rows.
final class BatchWriter: Sendable {
    let buffer: WriteBuffer
    private let pool: DatabasePool
    private let path: String
    private let options: CandleStore.Options
    private let wake: AsyncStream<Void>.Continuation
    private let wakes: AsyncStream<Void>
    private let retry = Mutex(Retry())

    /// Failures in a row, and how many intervals to let pass before the next attempt.
    private struct Retry {
        var failures = 0
        var intervalsToSkip = 0
    }

    init(pool: DatabasePool, path: String, options: CandleStore.Options) {
        self.pool = pool
        self.path = path
        self.options = options
        buffer = WriteBuffer(limit: options.bufferLimit)
        // One pending wake-up is enough: a flush writes everything there is.
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Never blocks on IO and never suspends.
    func enqueue(_ rows: some Collection<StoredCandle>) {
        if buffer.append(rows) >= options.batchRows { wake.yield() }
    }

    /// Runs until the task is cancelled or `stop()`.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.tick() }
            for await _ in wakes where isDue() {
                // The error was counted and reported; the rows wait for the next interval.
                _ = try? await flush()
            }
            group.cancelAll()
        }
    }

    func stop() { wake.finish() }

    private func tick() async {
        let clock = options.clock
        while !Task.isCancelled {
            do { try await clock.sleep(for: options.flushInterval) } catch { return }
            wake.yield()
        }
    }

    /// Whether the next attempt may be made: after `k` failures in a row, 2^k - 1 wake-ups pass, at most 31.
    private func isDue() -> Bool {
        retry.withLock { retry in
            if retry.intervalsToSkip == 0 { return true }
            retry.intervalsToSkip -= 1
            return false
        }
    }

    /// Writes all rows that were enqueued before the call. The rows of a failed batch stay in the buffer.
    func flush() async throws {
        let drops = buffer.drainDrops()
        if drops > 0 { options.onEvent(.dropped(rows: drops)) }
        let written: Int
        do {
            written = try await pool.writeWithoutTransaction { [buffer] db in
                let batch = buffer.beginBatch()
                guard !batch.isEmpty else { return 0 }
                let start = ContinuousClock.now
                var commit: ContinuousClock.Instant?
                do {
                    try db.inTransaction {
                        var writer = try CandleWriter(db)
                        for row in batch {
                            let series = try writer.id(of: SeriesKey(symbol: row.symbol, timeframe: row.timeframe))
                            try writer.write(row.candle, series: series, revision: row.revision, quality: row.quality)
                        }
                        commit = .now
                        return .commit
                    }
                } catch {
                    buffer.putBack(batch)
                    throw error
                }
                buffer.finish(batch) { $0.add(from: start, commit: commit, to: .now) }
                return batch.count
            }
        } catch {
            throw failed(StoreError(error, path: path))
        }
        succeeded(rows: written)
    }

    private func succeeded(rows: Int) {
        guard rows > 0 else { return }
        let failures = retry.withLock { retry in
            defer { retry = Retry() }
            return retry.failures
        }
        if failures > 0 { options.onEvent(.recovered(afterFailures: failures)) }
        options.onEvent(.flushed(rows: rows))
    }

    private func failed(_ error: StoreError) -> StoreError {
        let failures = retry.withLock { retry in
            retry.failures += 1
            retry.intervalsToSkip = (1 << min(retry.failures, 5)) - 1
            return retry.failures
        }
        if failures & (failures - 1) == 0 {
            let pending = buffer.statistics.pendingRows
            options.onEvent(.writeFailed(error, failuresInARow: failures, pendingRows: pending))
        }
        return error
    }
}
