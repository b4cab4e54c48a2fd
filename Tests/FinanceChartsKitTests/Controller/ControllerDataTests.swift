import TestKit
import Testing

@testable import FinanceChartsKit

/// A provider as users of the kit have written it: an own builder, never seeded, the forming bar shown before the
/// completed one.
@MainActor
private struct UsersProvider {
    var builder: OHLCBuilder
    let controller: ChartController

    init(_ controller: ChartController) {
        self.controller = controller
        builder = OHLCBuilder(timeframe: controller.timeframe)
    }

    mutating func handle(_ tick: Tick) {
        let result = builder.ingest(tick)
        if let updated = result.updated { controller.updateLast(updated) }
        if let appended = result.appended { controller.append(appended) }
    }
}

@Suite("A chart's data")
@MainActor
struct ControllerDataTests {
    @Test("updateLast of the new bar before append of the completed one gives both, in order")
    func rollover() {
        let controller = ChartController()
        let first = Candle.at(60, 10)
        let done = Candle(timestamp: 60, open: 10, high: 12, low: 9, close: 11, volume: 5)
        let second = Candle.at(120, 11)
        #expect(controller.updateLast(first) == .applied)
        #expect(controller.updateLast(second) == .applied)
        #expect(controller.append(done) == .merged)
        #expect(controller.candles == [done, second])
    }

    @Test(
        "a users' provider ends with the same bars as the series of its ticks", arguments: 0..<20 as Range<UInt64>
    )
    func usersProvider(seed: UInt64) {
        var stream = TickStream(seed: seed)
        let ticks = stream.next(2000)
        let controller = ChartController()
        var provider = UsersProvider(controller)
        var series = CandleSeries()
        var builder = OHLCBuilder(timeframe: .m1)
        for tick in ticks {
            provider.handle(tick)
            let result = builder.ingest(tick)
            for candle in [result.appended, result.updated].compactMap(\.self) { series.place(candle) }
        }
        #expect(controller.candles == (0..<series.count).map { series[$0] })
        #expect(controller.totalCandleCount > 20)
    }

    @Test("the first live ticks do not wipe out the bar that history ended with")
    func fragment() {
        let controller = ChartController()
        controller.setData([.at(60, 9), Candle(timestamp: 120, open: 10, high: 15, low: 8, close: 12, volume: 100)])
        var provider = UsersProvider(controller)
        provider.handle(Tick(timestamp: 150, price: 13, volume: 1))
        #expect(
            controller.lastCandle == Candle(timestamp: 120, open: 10, high: 15, low: 8, close: 13, volume: 101))
        provider.handle(Tick(timestamp: 160, price: 7, volume: 2))
        let whole = Candle(timestamp: 120, open: 10, high: 15, low: 7, close: 7, volume: 103)
        #expect(controller.lastCandle == whole)
        provider.handle(Tick(timestamp: 181, price: 20, volume: 1))
        #expect(controller.candles == [.at(60, 9), whole, .at(180, 20)])
    }

    @Test("whole bars from a server replace the bar that history ended with")
    func wholeBars() {
        let controller = ChartController()
        controller.setData([Candle(timestamp: 120, open: 10, high: 15, low: 8, close: 12, volume: 100)])
        let later = Candle(timestamp: 120, open: 10, high: 16, low: 8, close: 15, volume: 110)
        #expect(controller.updateLast(later) == .merged)
        #expect(controller.lastCandle == later)
        let corrected = Candle(timestamp: 120, open: 10, high: 14, low: 8, close: 14, volume: 90)
        controller.updateLast(corrected)
        #expect(controller.lastCandle == corrected, "the source sends whole bars, so its corrections count as they are")
    }

    @Test("a builder that was seeded with the last bar needs no help")
    func seeded() throws {
        let controller = ChartController()
        controller.setData([Candle(timestamp: 120, open: 10, high: 15, low: 8, close: 12, volume: 100)])
        var provider = UsersProvider(controller)
        provider.builder.seed(with: try #require(controller.lastCandle))
        provider.handle(Tick(timestamp: 150, price: 7, volume: 2))
        #expect(controller.lastCandle == Candle(timestamp: 120, open: 10, high: 15, low: 7, close: 7, volume: 102))
    }

    @Test("the open bar sent again and again is one bar")
    func repeated() {
        let controller = ChartController()
        #expect(controller.append(.at(60)) == .applied)
        for price in 1...50 { #expect(controller.append(.at(60, Double(price))) == .merged) }
        #expect(controller.candles == [.at(60, 50)])
    }

    @Test("a late tick neither closes the live bar nor moves time backward")
    func late() {
        let controller = ChartController()
        var provider = UsersProvider(controller)
        for time in [100.0, 130, 190] { provider.handle(Tick(timestamp: time, price: 10, volume: 1)) }
        let before = controller.candles
        provider.handle(Tick(timestamp: 100, price: 99, volume: 1))
        #expect(controller.candles == before)
        let result = provider.builder.ingest(Tick(timestamp: 181, price: 12, volume: 1))
        controller.apply(result)
        #expect(controller.lastCandle?.timestamp == 180 && controller.lastCandle?.high == 12)
    }

    @Test("a correction of a completed bar changes that bar")
    func corrected() {
        let controller = ChartController()
        var builder = OHLCBuilder(timeframe: .m1)
        for (time, price) in [(115.0, 10.0), (121, 11), (118, 14)] {
            controller.apply(builder.ingest(Tick(timestamp: time, price: price, volume: 1)))
        }
        #expect(controller.candles.map(\.high) == [14, 11])
    }

    @Test("weeks start on Monday, months on their first, and an empty bucket has no bar")
    func calendar() {
        // 2023-11-15, a Wednesday, and 2023-12-27, a Wednesday.
        let ticks = [1_700_006_400.0, 1_703_635_200].map { Tick(timestamp: $0, price: 10, volume: 1) }
        var starts: [Timeframe: [Double]] = [:]
        for timeframe in [Timeframe.w1, .mo1, .d1] {
            let controller = ChartController()
            controller.timeframe = timeframe
            var provider = UsersProvider(controller)
            for tick in ticks { provider.handle(tick) }
            starts[timeframe] = controller.candles.map(\.timestamp)
        }
        #expect(starts[.w1] == [1_699_833_600, 1_703_462_400])
        #expect(starts[.mo1] == [1_698_796_800, 1_701_388_800])
        #expect(starts[.d1] == [1_700_006_400, 1_703_635_200])
    }

    @Test("at most 10,000 bars are kept, the oldest go first")
    func cap() {
        let controller = ChartController()
        controller.setData(walk(12_000))
        #expect(controller.totalCandleCount == 10_000)
        controller.append(.at(1_700_000_040 + 12_000 * 60))
        #expect(controller.totalCandleCount == 10_000)
        #expect(controller.candles[0].timestamp == 1_700_000_040.0 + 2001 * 60)
        #expect(controller.append(.at(60)) == .rejected(.olderThanCap))
    }

    @Test("trimOldData keeps the newest bars and what is on screen")
    func trim() {
        let controller = ChartController()
        let candles = walk(500)
        controller.setData(candles)
        controller.pan(byBars: -50)
        let first = controller.view.viewport.right
        controller.trimOldData(keepingLast: 300)
        #expect(controller.candles == Array(candles.suffix(300)))
        #expect(controller.view.viewport.right == first - 200)
        let before = controller.revision
        controller.trimOldData(keepingLast: 300)
        #expect(controller.revision == before, "nothing to do, no notification")
        controller.trimOldData(keepingLast: -1)
        #expect(controller.totalCandleCount == 0 && controller.lastPrice == nil)
    }

    @Test(
        "a candle that no chart can draw is left out and says so",
        arguments: [
            Candle(timestamp: .nan, open: 1, high: 1, low: 1, close: 1, volume: 1), .at(0), .at(-60), .at(60, 0),
            .at(60, -1), .at(60, .infinity), Candle(timestamp: 60, open: 1, high: 1, low: 2, close: 1, volume: 1),
            Candle(timestamp: 60, open: 1, high: 2, low: 1, close: 3, volume: 1), .at(60, 1, volume: -1), .at(1e12),
        ])
    func malformed(candle: Candle) {
        let controller = ChartController()
        var said: [ChartAnnouncement] = []
        controller.onAnnouncement = { said.append($0) }
        #expect(controller.updateLast(candle) == .rejected(.malformed))
        #expect(controller.append(candle) == .rejected(.malformed))
        #expect(controller.revision == 0)
        controller.setData([candle, .at(120)])
        #expect(controller.candles == [.at(120)])
        #expect(said == [.leftOut(1), .loaded(bars: 1, symbol: "", timeframe: .m1)])
    }

    @Test("candles out of order are sorted, of equal times the last counts")
    func sorted() {
        let controller = ChartController()
        let candles = walk(300)
        var random = SeededGenerator(seed: 3)
        controller.setData(
            [.at(candles[7].timestamp)] + candles.shuffled(using: &random).filter { $0 != candles[7] } + [candles[7]])
        #expect(controller.candles == candles)
    }

    @Test("empty data is announced and draws an empty chart")
    func empty() {
        let controller = ChartController()
        var said: [ChartAnnouncement] = []
        controller.onAnnouncement = { said.append($0) }
        controller.setData([])
        #expect(said == [.noData])
        #expect(said[0].text == "No data.")
        #expect(controller.lastPrice == nil && controller.lastCandle == nil && controller.candles.isEmpty)
        #expect(!controller.displayList().words.isEmpty)
    }

    @Test("older bars never drive the newest one out")
    func prependAtTheCap() {
        let candles = (0..<150).map {
            Candle(timestamp: Double($0) * 60, open: 5, high: 7, low: 4, close: 6, volume: 1)
        }
        let controller = ChartController(capacity: 100)
        controller.setData(Array(candles[60..<140]))
        controller.pan(byBars: -70)
        #expect(controller.prepend(Array(candles[..<60])) == 20, "what fits, the newest of them")
        #expect(controller.prepend(Array(candles[..<40])) == 0)
        #expect(controller.updateLast(candles[140]) == .applied)
        #expect(controller.lastCandle == candles[140] && controller.totalCandleCount == 100)
    }

    @Test("older bars are put in front without moving the picture, and are requested near the oldest bar")
    func prepend() {
        let controller = ChartController()
        let candles = walk(400)
        controller.setData(Array(candles[200...]))
        #expect(!controller.needsHistory)
        controller.pan(byBars: -150)
        #expect(controller.needsHistory)
        let last = controller.legend
        #expect(controller.prepend(Array(candles[..<210])) == 200)
        #expect(controller.candles == candles)
        #expect(controller.legend?.candle == last?.candle && !controller.needsHistory)
    }

    @Test("another timeframe or symbol discards the bars and requests new ones")
    func streamChange() {
        let controller = ChartController()
        var requested: [String] = []
        controller.onStreamChange = { requested.append("\($0)_\($1.rawValue)") }
        controller.setData(walk(10))
        controller.symbol = "BTC-USD"
        #expect(controller.totalCandleCount == 10, "the bars were there, now they have a name")
        controller.timeframe = .m5
        #expect(controller.totalCandleCount == 0)
        controller.setData(walk(10, timeframe: .m5, start: 1_699_999_800))
        controller.symbol = "ETH-USD"
        #expect(controller.totalCandleCount == 0)
        controller.symbol = "ETH-USD"
        controller.timeframe = .m5
        #expect(requested == ["BTC-USD_1m", "BTC-USD_5m", "ETH-USD_5m"])
    }

    @Test("a timeframe that is said after the data keeps the data")
    func timeframeAfterData() {
        let controller = ChartController()
        let days = walk(200, timeframe: .d1, start: 1_600_041_600)
        controller.setData(days)
        controller.timeframe = .d1
        #expect(controller.candles == days)
        controller.cycleTimeframeDown()
        #expect(controller.timeframe == .h12 && controller.totalCandleCount == 0)
    }
}
