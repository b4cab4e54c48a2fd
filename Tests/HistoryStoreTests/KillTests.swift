import Foundation
import HistoryStore
import MarketModel
import Testing

@Suite("A process that is killed")
struct KillTests {
    /// The child really dies of SIGKILL: no destructor, no `close`, no checkpoint runs in it.
    @Test("leaves every flushed candle on disk, in a store that opens again")
    func kill() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            let store = try CandleStore(directory: path)
            store.enqueue(candles(5000).map { StoredCandle(symbol: "A", timeframe: .m1, candle: $0) })
            try await store.flush()
            Foundation.kill(getpid(), SIGKILL)
        }
        // The write-ahead log is still there: the store was not closed.
        #expect(FileManager.default.fileExists(atPath: "\(directory.path)/\(CandleStore.fileName)-wal"))
        let store = try CandleStore(directory: directory.path, mustExist: true)
        #expect(try await store.candles(symbol: "A", timeframe: .m1, limit: 10_000) == candles(5000))
        try await store.close()
    }

    @Test("has written by itself what was older than the batch interval")
    func killAfterInterval() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            var options = CandleStore.Options()
            let (events, continuation) = AsyncStream<StoreEvent>.makeStream()
            options.onEvent = { continuation.yield($0) }
            let store = try CandleStore(directory: path, options: options)
            store.enqueue(candles(100).map { StoredCandle(symbol: "A", timeframe: .m1, candle: $0) })
            for await case .flushed in events { break }
            Foundation.kill(getpid(), SIGKILL)
        }
        let store = try CandleStore(directory: directory.path, mustExist: true)
        #expect(try await store.candles(symbol: "A", timeframe: .m1) == candles(100))
        try await store.close()
    }
}
