import MarketModel
import Testing

@Suite("Aggregation, case by case")
struct AggregatorTests {
    /// A boundary of one and five minutes: 2023-11-14 22:10:00 UTC.
    static let minute = 1_699_999_800.0

    static func tick(_ seconds: Double, _ price: Double, _ volume: Double = 1) -> Tick {
        Tick(timestamp: minute + seconds, price: price, volume: volume)
    }

    @Test("a tick of the next bucket finishes the bar, and the finer timeframe is reported first")
    func finishesBars() {
        var aggregator = TickAggregator(timeframes: [.m5, .m1])
        var bars: [Bar] = []
        #expect(aggregator.timeframes == [.m1, .m5])
        #expect(aggregator.ingest(Self.tick(1, 10)) { bars.append($0) } == .opened)
        #expect(aggregator.ingest(Self.tick(2, 12)) { bars.append($0) } == .updated)
        #expect(bars.isEmpty)
        #expect(aggregator.ingest(Self.tick(61, 11)) { bars.append($0) } == .opened)
        #expect(
            bars == [
                Bar(
                    timeframe: .m1,
                    candle: Candle(timestamp: Self.minute, open: 10, high: 12, low: 10, close: 12, volume: 2),
                    isFinal: true, revision: 0, quality: .partial)
            ])
        aggregator.ingest(Self.tick(300, 9)) { bars.append($0) }
        #expect(bars.map(\.timeframe) == [.m1, .m1, .m5])
        #expect(bars[1].quality == .complete)
        #expect(bars[2].candle.volume == 3)
    }

    @Test("a late tick corrects the final bar, and says so with the next revision")
    func corrects() {
        var aggregator = TickAggregator(timeframes: [.m1, .m5], lateness: 10)
        var bars: [Bar] = []
        for tick in [Self.tick(0, 10), Self.tick(60, 11), Self.tick(119, 20), Self.tick(121, 12)] {
            aggregator.ingest(tick) { bars.append($0) }
        }
        bars.removeAll()
        #expect(aggregator.ingest(Self.tick(118, 30, 5)) { bars.append($0) } == .corrected)
        #expect(bars.count == 1)
        #expect(
            bars[0].candle == Candle(timestamp: Self.minute + 60, open: 11, high: 30, low: 11, close: 20, volume: 7))
        #expect(bars[0].revision == 1)
        #expect(bars[0].quality == .corrected)
        aggregator.ingest(Self.tick(118.5, 5)) { bars.append($0) }
        #expect(bars[1].revision == 2)
        // The five minutes are still open and hold it too.
        #expect(aggregator.forming(.m5)?.candle.high == 30)
        #expect(aggregator.forming(.m5)?.candle.low == 5)
        #expect(aggregator.corrections == 2)
    }

    @Test("a tick behind the window is rejected and counted, also inside the open bar")
    func rejectsLate() {
        var aggregator = TickAggregator(timeframes: [.m1], lateness: 5)
        aggregator.ingest(Self.tick(30, 10)) { _ in }
        #expect(aggregator.ingest(Self.tick(24.9, 1)) { _ in } == .rejected(.late))
        #expect(aggregator.ingest(Self.tick(25, 2)) { _ in } == .updated)
        #expect(aggregator.rejections[.late] == 1)
        #expect(aggregator.forming(.m1)?.candle.open == 2)
    }

    @Test("of equal times the first to arrive opens and the last to arrive closes")
    func ties() {
        var aggregator = TickAggregator(timeframes: [.m1])
        for price in [3.0, 1, 2] { aggregator.ingest(Self.tick(7, price)) { _ in } }
        let candle = aggregator.forming(.m1)!.candle
        #expect(candle.open == 3)
        #expect(candle.close == 2)
    }

    @Test("decimal quantities add up to the decimal sum")
    func decimalVolume() {
        var aggregator = TickAggregator(timeframes: [.m1])
        for _ in 0..<10 { aggregator.ingest(Self.tick(1, 5, 0.1)) { _ in } }
        aggregator.ingest(Self.tick(1, 5, 0.2)) { _ in }
        #expect(aggregator.forming(.m1)?.candle.volume == 1.2)
    }

    @Test(
        "timeframes that do not nest share a finer base", arguments: [[Timeframe.m3, .m5], [.w1, .mo1], [.h4, .h6]])
    func coprime(timeframes: [Timeframe]) {
        var aggregator = TickAggregator(timeframes: timeframes)
        var alone = timeframes.map { TickAggregator(timeframes: [$0]) }
        var together: [Bar] = []
        var single: [Bar] = []
        for step in 0..<400 {
            let tick = Self.tick(Double(step) * timeframes[0].seconds / 7.3, 100 + Double(step % 13))
            aggregator.ingest(tick) { together.append($0) }
            for index in alone.indices { alone[index].ingest(tick) { single.append($0) } }
        }
        #expect(together.count > 20)
        #expect(together == single)
    }

    @Test("empty buckets give flat bars where requested, and a late tick makes such a bar real")
    func flatBars() {
        var aggregator = TickAggregator(timeframes: [.m1], lateness: 100, emptyBuckets: .flat(limit: 10))
        var bars: [Bar] = []
        aggregator.ingest(Self.tick(0, 10)) { bars.append($0) }
        aggregator.ingest(Self.tick(190, 12)) { bars.append($0) }
        #expect(bars.map(\.quality) == [.complete, .noTrade, .noTrade])
        #expect(
            bars[1].candle == Candle(timestamp: Self.minute + 60, open: 10, high: 10, low: 10, close: 10, volume: 0))
        bars.removeAll()
        aggregator.ingest(Self.tick(125, 11)) { bars.append($0) }
        #expect(bars[0].quality == .corrected)
        #expect(
            bars[0].candle == Candle(timestamp: Self.minute + 120, open: 11, high: 11, low: 11, close: 11, volume: 1))
        // A pause longer than the limit is left open, and counted.
        bars.removeAll()
        aggregator.ingest(Self.tick(86_400, 12)) { bars.append($0) }
        #expect(bars.count == 1)
        #expect(aggregator.unfilledBuckets == 1436)
    }

    @Test("bars that the feed's absence touches say gap")
    func gap() {
        var aggregator = TickAggregator(timeframes: [.m1])
        var bars: [Bar] = []
        for second in [0.0, 61, 100] { aggregator.ingest(Self.tick(second, 10)) { bars.append($0) } }
        aggregator.feedWentDown()
        aggregator.feedCameUp(at: Self.minute + 190)
        for second in [200.0, 241, 301] { aggregator.ingest(Self.tick(second, 10)) { bars.append($0) } }
        #expect(bars.map(\.quality) == [.complete, .gap, .gap, .complete])
    }

    @Test("a seed goes on where history ended; a tick from before it changes nothing")
    func seeds() {
        var aggregator = TickAggregator(timeframes: [.s1, .m1])
        let known = Candle(timestamp: Self.minute, open: 5, high: 9, low: 4, close: 6, volume: 100)
        #expect(aggregator.seed(.m1, with: known) == true)
        #expect(aggregator.seed(.h1, with: known) == false)
        #expect(aggregator.forming(.m1)?.candle == known)
        #expect(aggregator.ingest(Self.tick(-1, 7)) { _ in } == .rejected(.late))
        aggregator.ingest(Self.tick(20, 10)) { _ in }
        #expect(
            aggregator.forming(.m1)?.candle
                == Candle(timestamp: Self.minute, open: 5, high: 10, low: 4, close: 10, volume: 101))
        #expect(aggregator.forming(.m1)?.quality == .complete)
        // A first tick after the seed's bucket finishes it.
        var later = TickAggregator(timeframes: [.s1, .m1])
        later.seed(.m1, with: known)
        var bars: [Bar] = []
        later.ingest(Self.tick(60, 8)) { bars.append($0) }
        #expect(bars.map(\.candle) == [known])
    }
}
