import MarketModel
import TestKit
import Testing

@Suite("OHLCBuilder")
struct OHLCBuilderTests {
    static let minute = AggregatorTests.minute

    @Test("one tick updates; the next bucket appends the bar that ended and opens a new one")
    func appends() {
        var builder = OHLCBuilder(timeframe: .m1)
        let first = builder.ingest(AggregatorTests.tick(0, 10))
        #expect(first.updated?.open == 10)
        #expect(first.appended == nil)
        builder.ingest(AggregatorTests.tick(30, 14)).expectUpdated(high: 14)
        let rollover = builder.ingest(AggregatorTests.tick(60, 11))
        #expect(rollover.appended?.close == 14)
        #expect(
            rollover.updated == Candle(timestamp: Self.minute + 60, open: 11, high: 11, low: 11, close: 11, volume: 1))
        #expect(builder.lastUpdateTime == Self.minute + 60)
    }

    @Test("applied in either order, updated and appended give the right series")
    func orderOfApplication() {
        var builder = OHLCBuilder(timeframe: .m1)
        var updatedFirst = CandleSeries()
        var appendedFirst = CandleSeries()
        for second in stride(from: 0.0, to: 600, by: 17) {
            let result = builder.ingest(AggregatorTests.tick(second, 100 + second.truncatingRemainder(dividingBy: 31)))
            if let updated = result.updated { updatedFirst.place(updated) }
            if let appended = result.appended {
                updatedFirst.place(appended)
                appendedFirst.place(appended)
            }
            if let updated = result.updated { appendedFirst.place(updated) }
        }
        #expect(updatedFirst.count == 10)
        #expect(updatedFirst.candles == appendedFirst.candles)
    }

    @Test("seeded, the first live tick keeps the history's part of the bar")
    func seeded() {
        var builder = OHLCBuilder(timeframe: .m1)
        builder.seed(with: Candle(timestamp: Self.minute, open: 5, high: 9, low: 4, close: 6, volume: 2))
        let result = builder.ingest(AggregatorTests.tick(40, 7))
        #expect(result.updated == Candle(timestamp: Self.minute, open: 5, high: 9, low: 4, close: 7, volume: 3))
    }

    @Test("a late tick corrects the bar it belongs to and moves nothing back")
    func late() {
        var builder = OHLCBuilder(timeframe: .m1)
        _ = builder.ingest(AggregatorTests.tick(50, 10))
        _ = builder.ingest(AggregatorTests.tick(61, 20))
        let result = builder.ingest(AggregatorTests.tick(55, 30))
        #expect(result.updated?.timestamp == Self.minute && result.updated?.high == 30)
        #expect(result.appended == nil, "it completes nothing")
        #expect(result.corrected == result.updated)
        #expect(builder.forming?.timestamp == Self.minute + 60)
        #expect(builder.ingest(AggregatorTests.tick(0, 1)).rejection == .late)
        #expect(builder.rejections[.late] == 1)
    }

    @Test(
        "ticks up to 8 s late: updated and appended alone, in either order, give the series of the ticks in order",
        arguments: 1...20 as ClosedRange<UInt64>)
    func lateTicks(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var stream = TickStream(seed: seed)
        let arriving = stream.next(1000).map { ($0, $0.timestamp + Double.random(in: 0..<8, using: &random)) }
            .sorted { $0.1 < $1.1 }.map(\.0)
        for timeframe in [Timeframe.s1, .s5, .m1] {
            var builder = OHLCBuilder(timeframe: timeframe)
            var (updatedFirst, appendedFirst) = (CandleSeries(), CandleSeries())
            var corrections = 0
            for tick in arriving {
                let result = builder.ingest(tick)
                #expect(result.tick == tick && result.updated != nil && result.timeframe == timeframe)
                for candle in [result.updated, result.appended].compactMap(\.self) { updatedFirst.place(candle) }
                for candle in [result.appended, result.updated].compactMap(\.self) { appendedFirst.place(candle) }
                if result.corrected != nil { corrections += 1 }
            }
            let expected = AggregatorPropertyTests.plainCandles(arriving, timeframe).values.sorted {
                $0.timestamp < $1.timestamp
            }
            #expect(updatedFirst.candles == expected && appendedFirst.candles == expected, "\(timeframe)")
            #expect(corrections > 5)
        }
    }

    @Test("reset forgets everything")
    func reset() {
        var builder = OHLCBuilder(timeframe: .m1)
        _ = builder.ingest(AggregatorTests.tick(50, 10))
        builder.reset()
        #expect(builder.forming == nil)
        #expect(builder.lastUpdateTime == nil)
        #expect(builder.ingest(AggregatorTests.tick(-600, 3)).updated?.open == 3)
    }
}

extension BuildResult {
    fileprivate func expectUpdated(high: Double) {
        #expect(updated?.high == high)
        #expect(appended == nil)
    }
}

extension CandleSeries {
    var candles: [Candle] { (0..<count).map { self[$0] } }
}
