import HistoryStore
import MarketFeeds
import MarketModel
import NIOPosix
import Testing

@testable import CandlewireServer

@Suite("Stored candles for the memory")
struct StoredMemoryTests {
    /// 2024-08-08 00:00 UTC.
    private static let day = 1_723_075_200.0

    @Test("what was built and stored since the start is not the past: all that was missed before it is to be fetched")
    func builtMeanwhile() async throws {
        let store = try CandleStore(directory: RunningServer.temporaryFolder())
        let core = try await MarketCore(
            registry: MarketRegistry([Market(symbol: "M0", precision: 2)]),
            loop: MultiThreadedEventLoopGroup.singleton.next(), shards: []
        ) { _, bars in store.enqueue(bars.map { StoredCandle(symbol: "M0", bar: $0) }) }
        for (timeframe, revision) in [(Timeframe.m1, 2), (.h1, 0)] {
            let candle = Candle(timestamp: Self.day, open: 10, high: 10, low: 10, close: 10, volume: 1)
            store.enqueue(StoredCandle(symbol: "M0", timeframe: timeframe, candle: candle, revision: revision))
        }
        // Two hours later.
        try await core.read { pipeline in
            for second in 0..<200 {
                let time = Self.day + 7200 + Double(second)
                pipeline.ingest(market: 0, Tick(timestamp: time, price: 20, volume: 1), now: time)
            }
        }
        try await store.flush()
        #expect(try await store.lastTimestamp(symbol: "M0", timeframe: .m1) == Self.day + 7320)
        let newest = try await StoredMemory(core: core, store: store).load(0)
        #expect(newest == [.m1: Self.day, .h1: Self.day])
        let minutes = try await core.read { $0.candles(market: 0, timeframe: .m1, limit: 10) }
        #expect(minutes.map(\.timestamp) == [0, 7200, 7260, 7320, 7380].map { Self.day + $0 })
        try await store.close()
    }
}
