import FinanceChartsKit
import Testing

@Suite("The builders of many streams")
struct BuilderPoolTests {
    static func tick(_ time: Double, _ price: Double = 10) -> Tick {
        Tick(timestamp: time, price: price, volume: 1)
    }

    @Test("there is one for each symbol and timeframe, named by both")
    func keys() {
        var pool = BuilderPool()
        for symbol in ["A", "B"] {
            for timeframe in [Timeframe.m1, .m5] {
                for time in [60.0, 70] {
                    _ = pool.ingest(Self.tick(time), symbol: symbol, timeframe: timeframe, now: time)
                }
            }
        }
        #expect(pool.keys.map(\.description).sorted() == ["A_1m", "A_5m", "B_1m", "B_5m"])
        pool.remove(symbol: "A", timeframe: .m1)
        #expect(pool.keys.map(\.description).sorted() == ["A_5m", "B_1m", "B_5m"])
        pool.remove(symbol: "B")
        #expect(pool.keys.map(\.description) == ["A_5m"])
        pool.removeAll()
        #expect(pool.count == 0)
    }

    @Test("ticks of one stream make one bar")
    func oneBar() {
        var pool = BuilderPool()
        var last: Candle?
        for (time, price) in [(60.0, 10.0), (61, 14), (62, 8), (63, 12)] {
            last = pool.ingest(Self.tick(time, price), symbol: "A", timeframe: .m1, now: time).updated
        }
        #expect(last == Candle(timestamp: 60, open: 10, high: 14, low: 8, close: 12, volume: 4))
    }

    @Test("a builder without ticks for 3,600 s goes, and hands its last bar over")
    func idle() {
        var pool = BuilderPool()
        _ = pool.ingest(Self.tick(60), symbol: "A", timeframe: .m1, now: 60)
        _ = pool.ingest(Self.tick(1000), symbol: "B", timeframe: .m1, now: 1000)
        #expect(pool.evictIdle(now: 3659).isEmpty && pool.count == 2)
        let gone = pool.evictIdle(now: 3660)
        #expect(gone.map(\.key.description) == ["A_1m"])
        #expect(gone[0].last == Candle(timestamp: 60, open: 10, high: 10, low: 10, close: 10, volume: 1))
        #expect(pool.count == 1)
    }

    @Test("a builder is never evicted in mid-bar")
    func midBar() {
        var pool = BuilderPool()
        _ = pool.ingest(Self.tick(100, 10), symbol: "A", timeframe: .d1, now: 100)
        #expect(pool.evictIdle(now: 80_000).isEmpty && pool.count == 1)
        let result = pool.ingest(Self.tick(80_001, 20), symbol: "A", timeframe: .d1, now: 80_001)
        #expect(result.updated == Candle(timestamp: 0, open: 10, high: 20, low: 10, close: 20, volume: 2))
        #expect(pool.evictIdle(now: 86_399).isEmpty)
        #expect(pool.evictIdle(now: 86_400).count == 1 && pool.count == 0)
    }

    @Test("a seed is use, too")
    func seeded() {
        var pool = BuilderPool()
        let bar = Candle(timestamp: 60, open: 5, high: 9, low: 4, close: 6, volume: 3)
        pool.seed(symbol: "A", timeframe: .m1, with: bar, now: 90)
        let result = pool.ingest(Self.tick(100, 10), symbol: "A", timeframe: .m1, now: 100)
        #expect(result.updated == Candle(timestamp: 60, open: 5, high: 10, low: 4, close: 10, volume: 4))
    }
}
