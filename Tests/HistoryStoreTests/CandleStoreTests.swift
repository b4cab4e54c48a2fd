import Foundation
import GRDB
import HistoryStore
import MarketModel
import Testing

@Suite("The candle store")
struct CandleStoreTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    @Test("gives back to the bit what was enqueued")
    func roundTrip() async throws {
        let store = try CandleStore(directory: directory.path)
        let awkward = Candle(
            timestamp: 1_732_129_980, open: 0.1 + 0.2, high: 67_234.123_456_789, low: .leastNormalMagnitude,
            close: 1 / 3, volume: 1e300)
        let fraction = Candle(timestamp: 1_732_129_980.25, open: 1, high: 1, low: 1, close: 1, volume: 0)
        let rows = [
            StoredCandle(symbol: "BTC/USD", timeframe: .m1, candle: awkward, revision: 3, quality: .corrected),
            StoredCandle(symbol: "BTC/USD", timeframe: .m1, candle: fraction, quality: .noTrade),
        ]
        store.enqueue(rows)
        try await store.flush()
        #expect(try await store.storedCandles(symbol: "BTC/USD", timeframe: .m1) == rows)
        try await store.close()
    }

    @Test("keeps symbols and timeframes apart", arguments: Timeframe.allCases)
    func series(timeframe: Timeframe) async throws {
        let store = try CandleStore(directory: directory.path)
        let bars = candles(3)
        for symbol in ["BTC-USD", "ETH-USD", "日経", "a'b;--"] {
            store.enqueue(bars.map { StoredCandle(symbol: symbol, timeframe: timeframe, candle: $0) })
        }
        try await store.flush()
        #expect(try await store.symbols() == ["BTC-USD", "ETH-USD", "a'b;--", "日経"])
        #expect(try await store.timeframes(of: "日経") == [timeframe])
        #expect(try await store.candles(symbol: "a'b;--", timeframe: timeframe) == bars)
        #expect(try await store.candles(symbol: "btc-usd", timeframe: timeframe).isEmpty)
        #expect(
            try await store.candles(symbol: "BTC-USD", timeframe: timeframe.next == timeframe ? .s1 : timeframe.next)
                .isEmpty)
        try await store.close()
    }

    @Test(
        "replaces a candle by a write that knows as much or more",
        arguments: [
            (stored: 0, written: 0, replaced: true), (0, 1, true), (2, 2, true), (2, 1, false), (1, 0, false),
        ])
    func upsert(stored: Int, written: Int, replaced: Bool) async throws {
        let store = try CandleStore(directory: directory.path)
        let old = candles(1)[0]
        var new = old
        new.close += 1
        for (candle, revision) in [(old, stored), (new, written)] {
            store.enqueue(StoredCandle(symbol: "A", timeframe: .m1, candle: candle, revision: revision))
        }
        try await store.flush()
        #expect(try await store.candles(symbol: "A", timeframe: .m1) == [replaced ? new : old])
        try await store.close()
    }

    @Test("knows the ends and the length of a series")
    func ends() async throws {
        let store = try CandleStore(directory: directory.path)
        #expect(try await store.lastTimestamp(symbol: "A", timeframe: .m1) == nil)
        let bars = candles(500)
        #expect(try await store.importCandles(bars, symbol: "A", timeframe: .m1) == 500)
        #expect(try await store.firstTimestamp(symbol: "A", timeframe: .m1) == bars.first?.timestamp)
        #expect(try await store.lastTimestamp(symbol: "A", timeframe: .m1) == bars.last?.timestamp)
        #expect(try await store.count(symbol: "A", timeframe: .m1) == 500)
        try await store.remove(symbol: "A", timeframe: .m1)
        #expect(try await store.symbols().isEmpty)
        #expect(try await store.count(symbol: "A", timeframe: .m1) == 0)
        try await store.close()
    }

    @Test("puts candles of the future aside, so that the present follows what was before")
    func quarantine() async throws {
        let store = try CandleStore(directory: directory.path)
        let (past, future) = (candles(100), candles(50, from: 1_900_000_020))
        for symbol in ["A", "B"] { _ = try await store.importCandles(past, symbol: symbol, timeframe: .m1) }
        for timeframe in [Timeframe.m1, .m5] {
            _ = try await store.importCandles(future, symbol: "A", timeframe: timeframe)
        }
        let now = past[99].timestamp + 30
        #expect(try await store.quarantine(after: now) == 100)
        #expect(try await store.quarantine(after: now) == 0)
        for symbol in ["A", "B"] { #expect(try await store.candles(symbol: symbol, timeframe: .m1) == past) }
        #expect(try await store.lastTimestamp(symbol: "A", timeframe: .m5) == nil)
        // A second wrong clock writes the same candles again.
        _ = try await store.importCandles(future, symbol: "A", timeframe: .m1)
        #expect(try await store.quarantine(after: now) == 50)
        // The present goes on where the past ended.
        let next = candles(1, from: past[99].timestamp + 60)
        _ = try await store.importCandles(next, symbol: "A", timeframe: .m1)
        #expect(try await store.candles(symbol: "A", timeframe: .m1) == past + next)
        try await store.close()
        let kept = try await DatabaseQueue(path: store.path).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM quarantined_candles")
        }
        #expect(kept == 100)
    }

    @Test("writes what is left when it closes, and has it after reopening")
    func reopen() async throws {
        let bars = candles(1000)
        do {
            let store = try CandleStore(directory: directory.path)
            store.enqueue(bars.map { StoredCandle(symbol: "A", timeframe: .m1, candle: $0) })
            try await store.close()
            try await store.close()
            store.enqueue(StoredCandle(symbol: "A", timeframe: .m1, candle: bars[0]))
            #expect(store.statistics.refusedRows == 1)
            #expect(store.statistics.writtenRows == 1000)
            await #expect(throws: StoreError.self) { try await store.candles(symbol: "A", timeframe: .m1) }
        }
        // A person who copies the one file has everything.
        let log = FileManager.default.contents(atPath: "\(directory.path)/\(CandleStore.fileName)-wal")
        #expect(log?.isEmpty ?? true)
        let store = try CandleStore(directory: directory.path, mustExist: true)
        #expect(try await store.candles(symbol: "A", timeframe: .m1) == bars)
        try await store.close()
    }

    @Test("writes generated history past the buffer and leaves malformed candles out")
    func importing() async throws {
        let store = try CandleStore(directory: directory.path)
        var bars = candles(120_000)
        bars[7].low = bars[7].high + 1
        #expect(try await store.importCandles(bars, symbol: "A", timeframe: .m1) == 119_999)
        #expect(try await store.count(symbol: "A", timeframe: .m1) == 119_999)
        #expect(try await store.importCandles([], symbol: "A", timeframe: .m1) == 0)
        try await store.close()
    }

    @Test("reads a consistent series while batches are being written")
    func readingWhileWriting() async throws {
        let store = try CandleStore(directory: directory.path)
        let bars = candles(20_000)
        try await withThrowingTaskGroup { group in
            group.addTask {
                for start in stride(from: 0, to: bars.count, by: 500) {
                    let batch = bars[start..<(start + 500)]
                    store.enqueue(batch.map { StoredCandle(symbol: "A", timeframe: .m1, candle: $0) })
                    try await store.flush()
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    var seen = 0
                    while seen < bars.count {
                        let page = try await store.candles(symbol: "A", timeframe: .m1, limit: bars.count)
                        // Whole batches only, in order, and never fewer than before.
                        try #require(page.count % 500 == 0 && page.count >= seen)
                        try #require(page == Array(bars.prefix(page.count)))
                        seen = page.count
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
        try await store.close()
    }

    @Test("lets two stores share a file")
    func sharing() async throws {
        let first = try CandleStore(directory: directory.path)
        let second = try CandleStore(directory: directory.path)
        for (index, store) in [first, second].enumerated() {
            try await store.importCandles(candles(10), symbol: "S\(index)", timeframe: .m1)
        }
        #expect(try await first.symbols() == ["S0", "S1"])
        try await first.close()
        #expect(try await second.symbols() == ["S0", "S1"])
        try await second.close()
    }
}
