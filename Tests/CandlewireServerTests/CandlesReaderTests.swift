import HistoryStore
import MarketFeeds
import MarketModel
import NIOPosix
import TestKit
import Testing

@testable import CandlewireServer

@Suite("Candles of the memory and the store")
struct CandlesReaderTests {
    /// 2024-08-08 00:00 UTC.
    private static let day = 1_723_075_200.0

    private static func candle(_ minute: Double) -> Candle {
        Candle(timestamp: day + minute * 60, open: 10, high: 10, low: 10, close: 10, volume: 1)
    }

    private static func row(_ symbol: String, _ minute: Double) -> StoredCandle {
        StoredCandle(symbol: symbol, timeframe: .m1, candle: candle(minute))
    }

    @Test("a reader of older candles makes the store write only where what is requested is not written yet")
    func writes() async throws {
        var options = CandleStore.Options()
        // Nothing is written by itself.
        options.clock = ManualClock()
        let store = try CandleStore(directory: RunningServer.temporaryFolder(), options: options)
        let core = try await MarketCore(
            registry: MarketRegistry(["M0", "M1"].map { Market(symbol: $0, precision: 2) }),
            loop: MultiThreadedEventLoopGroup.singleton.next(), shards: []
        ) { _, _ in }
        try await core.read { pipeline in
            pipeline.markets[0].awaitsPast = true
            pipeline.place([Self.candle(10)], market: 0, timeframe: .m1)
        }
        store.enqueue(Self.row("M0", 0))
        try await store.flush()
        store.enqueue([Self.row("M0", 10), Self.row("M1", 0)])
        let reader = CandlesReader(core: core, store: store)
        let query = CandlesQuery(market: 0, timeframe: .m1)
        #expect(try await reader.read(query) == [Self.candle(0), Self.candle(10)])
        #expect(store.statistics.batches == 1 && store.statistics.pendingRows == 2)
        var forward = query
        forward.from = Self.day
        #expect(try await reader.read(forward) == [Self.candle(0), Self.candle(10)])
        #expect(store.statistics.batches == 1)

        store.enqueue(Self.row("M0", 1))
        #expect(try await reader.read(query) == [Self.candle(0), Self.candle(1), Self.candle(10)])
        #expect(store.statistics.batches == 2 && store.statistics.pendingRows == 0)
        try await store.close()
        // What the store cannot give is no empty past.
        await #expect(throws: StoreError.self) { try await reader.read(query) }
    }
}
