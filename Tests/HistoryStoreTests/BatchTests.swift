import Foundation
import GRDB
import MarketModel
import Testing

@testable import HistoryStore

/// Another connection that holds the database's write lock, as another process would.
private struct WriteLock {
    private let queue: DatabaseQueue

    init(on path: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    }

    func release() throws {
        try queue.inDatabase { try $0.execute(sql: "ROLLBACK") }
        try queue.close()
    }
}

@Suite("The background writer")
struct BatchTests {
    let directory: TemporaryDirectory
    let clock = HandClock()
    let events: AsyncStream<StoreEvent>
    let options: CandleStore.Options

    init() throws {
        directory = try TemporaryDirectory()
        let (events, continuation) = AsyncStream<StoreEvent>.makeStream()
        self.events = events
        var options = CandleStore.Options()
        options.clock = clock
        options.busyTimeout = .milliseconds(1)
        options.onEvent = { continuation.yield($0) }
        self.options = options
    }

    func rows(_ count: Int) -> [StoredCandle] {
        candles(count).map { StoredCandle(symbol: "A", timeframe: .m1, candle: $0) }
    }

    @Test("knows which candles are not written yet, of each series and before a time")
    func unwritten() async throws {
        let store = try CandleStore(directory: directory.path, options: options)
        store.enqueue(rows(3))
        let start = 1_700_000_040.0
        #expect(store.hasUnwritten(symbol: "A", timeframe: .m1, before: start + 1))
        #expect(!store.hasUnwritten(symbol: "A", timeframe: .m1, before: start))
        #expect(!store.hasUnwritten(symbol: "A", timeframe: .h1, before: .infinity))
        #expect(!store.hasUnwritten(symbol: "B", timeframe: .m1, before: .infinity))
        let lock = try WriteLock(on: store.path)
        await #expect(throws: StoreError.self) { try await store.flush() }
        #expect(store.hasUnwritten(symbol: "A", timeframe: .m1, before: start + 1))
        try lock.release()
        try await store.flush()
        #expect(!store.hasUnwritten(symbol: "A", timeframe: .m1, before: .infinity))
        try await store.close()
    }

    @Test("candles are unwritten until the writer is through with them")
    func inFlight() {
        let buffer = WriteBuffer(limit: 10)
        let key = SeriesKey(symbol: "A", timeframe: .m1)
        _ = buffer.append(rows(2))
        let batch = buffer.beginBatch()
        #expect(buffer.holds(key, before: .infinity) && buffer.statistics.pendingRows == 2)
        buffer.putBack(batch)
        #expect(buffer.holds(key, before: .infinity) && buffer.statistics.pendingRows == 2)
        buffer.finish(buffer.beginBatch())
        #expect(!buffer.holds(key, before: .infinity) && buffer.statistics.pendingRows == 0)
    }

    @Test("writes a batch when the interval is over, and not before")
    func interval() async throws {
        let store = try CandleStore(directory: directory.path, options: options)
        var events = events.makeAsyncIterator()
        await clock.waitForSleeper()
        store.enqueue(rows(3))
        clock.advance(by: .milliseconds(249))
        #expect(store.statistics.pendingRows == 3)
        #expect(try await store.count(symbol: "A", timeframe: .m1) == 0)
        clock.advance(by: .milliseconds(1))
        #expect(await events.next() == .flushed(rows: 3))
        #expect(try await store.count(symbol: "A", timeframe: .m1) == 3)
        #expect(store.statistics.pendingRows == 0)
        // And again: the timer goes on.
        await clock.waitForSleeper()
        store.enqueue(rows(5))
        clock.advance(by: .milliseconds(250))
        #expect(await events.next() == .flushed(rows: 5))
        #expect(store.statistics.batches == 2)
        try await store.close()
    }

    @Test("writes a full batch at once, without the clock")
    func fullBatch() async throws {
        var options = options
        options.batchRows = 10
        let store = try CandleStore(directory: directory.path, options: options)
        var events = events.makeAsyncIterator()
        store.enqueue(rows(9))
        #expect(store.statistics.pendingRows == 9)
        store.enqueue(rows(1))
        #expect(await events.next() == .flushed(rows: 10))
        try await store.close()
    }

    @Test("refuses malformed candles, so that one bad number cannot block every batch after it")
    func malformed() async throws {
        let store = try CandleStore(directory: directory.path, options: options)
        var bad = rows(4)
        bad[0].candle.open = .nan
        bad[1].candle.volume = .infinity
        bad[2].candle.timestamp = -1
        store.enqueue(bad)
        try await store.flush()
        #expect(store.statistics.refusedRows == 3)
        #expect(try await store.count(symbol: "A", timeframe: .m1) == 1)
        try await store.close()
    }

    @Test("keeps the rows of a failed batch, drops new ones beyond the bound, and reports both")
    func failure() async throws {
        var options = options
        options.bufferLimit = 5
        let store = try CandleStore(directory: directory.path, options: options)
        var events = events.makeAsyncIterator()

        // SQLite answers BUSY, as it would answer FULL on a full disk.
        let other = try WriteLock(on: store.path)
        store.enqueue(rows(4))
        await #expect(throws: StoreError.self) { try await store.flush() }
        guard case .writeFailed(let error, failuresInARow: 1, pendingRows: 4) = await events.next() else {
            Issue.record("the first failure is reported")
            return
        }
        #expect(error.code == .busy)
        #expect(error.description.contains(store.path))

        store.enqueue(rows(4))
        #expect(store.statistics.pendingRows == 5)
        #expect(store.statistics.droppedRows == 3)
        for _ in 2...4 { await #expect(throws: StoreError.self) { try await store.flush() } }
        #expect(await events.next() == .dropped(rows: 3))
        for reported in [2, 4] {
            guard case .writeFailed(_, failuresInARow: reported, _) = await events.next() else {
                Issue.record("failure \(reported) is reported, the third is not")
                return
            }
        }
        #expect(store.statistics.failedBatches == 4)

        try other.release()
        try await store.flush()
        #expect(await events.next() == .recovered(afterFailures: 4))
        #expect(await events.next() == .flushed(rows: 5))
        #expect(try await store.candles(symbol: "A", timeframe: .m1) == candles(4))
        #expect(store.statistics.pendingRows == 0)
        try await store.close()
    }

    @Test("writes a batch whole that the disk had no room for half-way")
    func full() async throws {
        let store = try CandleStore(directory: directory.path, options: options)
        func limit(toPages pages: Int) async throws {
            try await store.pool.writeWithoutTransaction { db in
                _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages)")
            }
        }
        store.enqueue(rows(1))
        try await store.flush()
        try await limit(toPages: 40)
        store.enqueue(rows(10_000))
        for _ in 0..<2 {
            let error = await #expect(throws: StoreError.self) { try await store.flush() }
            #expect(error?.code == .full)
            #expect(try await store.count(symbol: "A", timeframe: .m1) == 1)
        }
        #expect(store.statistics.pendingRows == 10_000)
        try await limit(toPages: 100_000)
        try await store.flush()
        #expect(try await store.candles(symbol: "A", timeframe: .m1, limit: .max) == candles(10_000))
        try await store.close()
    }

    @Test("tries again by itself after failures")
    func retry() async throws {
        let store = try CandleStore(directory: directory.path, options: options)
        var events = events.makeAsyncIterator()
        let other = try WriteLock(on: store.path)
        store.enqueue(rows(2))
        await clock.waitForSleeper()
        clock.advance(by: .milliseconds(250))
        guard case .writeFailed = await events.next() else {
            Issue.record("the failure is reported")
            return
        }
        try other.release()
        // One interval passes unused after the first failure; wake-ups may merge, so a few more are allowed.
        let advancing = Task { [clock] in
            while !Task.isCancelled {
                await clock.waitForSleeper()
                clock.advance(by: .milliseconds(250))
                await Task.yield()
            }
        }
        #expect(await events.next() == .recovered(afterFailures: 1))
        #expect(await events.next() == .flushed(rows: 2))
        advancing.cancel()
        clock.advance(by: .seconds(1))
        try await store.close()
    }

    @Test("loses nothing when many threads enqueue at once")
    func contention() async throws {
        var options = options
        options.batchRows = 50
        let store = try CandleStore(directory: directory.path, options: options)
        await withTaskGroup { group in
            for thread in 0..<8 {
                group.addTask {
                    for candle in candles(500) {
                        store.enqueue(StoredCandle(symbol: "S\(thread)", timeframe: .m1, candle: candle))
                    }
                }
            }
        }
        try await store.flush()
        for thread in 0..<8 {
            #expect(try await store.candles(symbol: "S\(thread)", timeframe: .m1) == candles(500))
        }
        #expect(store.statistics.writtenRows == 4000)
        try await store.close()
    }
}
