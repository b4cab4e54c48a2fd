import TestKit
import Testing

@testable import FinanceChartsKit

@Suite("Bars of another timeframe")
@MainActor
struct OtherTimeframeTests {
    private static let start = 1_699_999_200.0

    private static func chart(_ timeframe: Timeframe, bars: Int) -> ChartController {
        let controller = ChartController()
        controller.timeframe = timeframe
        controller.setData(walk(bars, timeframe: timeframe, start: start))
        return controller
    }

    @Test(
        "setData reports them and keeps what is shown; they are there once the timeframe is theirs",
        arguments: [(Timeframe.m1, Timeframe.m5), (.m5, .m1), (.m1, .d1), (.h1, .m30), (.s1, .m1)])
    func setData(shown: Timeframe, other: Timeframe) {
        let start = other == .d1 || shown == .d1 ? 1_600_041_600 : Self.start
        let controller = ChartController()
        controller.timeframe = shown
        let bars = walk(20, timeframe: shown, start: start)
        #expect(controller.setData(bars) == .applied)
        var said: [ChartAnnouncement] = []
        controller.onAnnouncement = { said.append($0) }
        let others = walk(20, timeframe: other, start: start)
        #expect(controller.setData(others) == .rejected(.otherTimeframe))
        #expect(controller.candles == bars)
        #expect(said == [.otherTimeframe(count: 20, than: shown)])
        #expect(controller.prepend(walk(20, timeframe: other, start: start - 40 * other.seconds)) == 0)
        controller.timeframe = other
        #expect(controller.candles == others)
    }

    @Test("stray bars of the old timeframe are rejected, not mixed in")
    func stray() {
        let controller = Self.chart(.m5, bars: 10)
        let bars = controller.candles
        let next = Self.start + 3000
        #expect(controller.updateLast(.at(next + 60)) == .rejected(.otherTimeframe))
        #expect(controller.append(.at(next + 240)) == .rejected(.otherTimeframe))
        // One that begins where a bar of five minutes does, too, is known by its builder.
        var minutes = OHLCBuilder(timeframe: .m1)
        let result = minutes.ingest(Tick(timestamp: next, price: 10, volume: 1))
        #expect(controller.apply(result) == .rejected(.otherTimeframe))
        let updates = ThrottledUpdateManager(chartController: controller, interval: 0)
        updates.queueUpdate(result)
        #expect(controller.candles == bars)
        var builder = OHLCBuilder(timeframe: .m5)
        #expect(controller.apply(builder.ingest(Tick(timestamp: next + 61, price: 10, volume: 1))) == .applied)
        #expect(controller.apply(builder.ingest(Tick(timestamp: next + 1, price: .nan, volume: 1))) == nil)
        #expect(controller.candles == bars + [.at(next)])
    }

    @Test("one call changes timeframe, bars and builder")
    func changeTimeframe() throws {
        let controller = Self.chart(.m1, bars: 30)
        var builder = OHLCBuilder(timeframe: .m1, lateness: 5)
        builder.seed(with: try #require(controller.lastCandle))
        var requests = 0
        controller.onStreamChange = { _, _ in requests += 1 }
        let minutes = controller.candles
        let fives = walk(6, timeframe: .m5, start: Self.start)
        #expect(
            controller.changeTimeframe(to: .m5, data: minutes, builder: &builder) == .rejected(.otherTimeframe))
        #expect(controller.timeframe == .m1 && controller.candles == minutes && builder.timeframe == .m1)
        #expect(controller.changeTimeframe(to: .m5, data: fives, builder: &builder) == .applied)
        #expect(controller.timeframe == .m5 && controller.candles == fives && requests == 0)
        #expect(builder.timeframe == .m5 && builder.forming == fives[5] && builder.lateness == 5)
        let last = fives[5]
        controller.apply(builder.ingest(Tick(timestamp: last.timestamp + 200, price: last.close, volume: 1)))
        #expect(controller.totalCandleCount == 6 && controller.lastCandle?.volume == last.volume + 1)
        controller.timeframe = .m15
        #expect(requests == 1)
    }

    @Test("missing bars are no other timeframe", arguments: 1...20 as ClosedRange<UInt64>)
    func holes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for timeframe in [Timeframe.s1, .m1, .m5, .h1] {
            let bars = walk(400, timeframe: timeframe, start: Self.start, seed: seed)
            let kept = bars.filter { _ in random.below(8) == 0 }
            let controller = ChartController()
            controller.timeframe = timeframe
            #expect(controller.setData(kept) == .applied)
            #expect(controller.candles == kept)
        }
    }

    @Test("weekends, and few bars that are far apart")
    func gaps() {
        let days = walk(30, timeframe: .d1, start: 1_600_041_600).enumerated().filter { $0.offset % 7 < 5 }
            .map(\.element)
        let controller = ChartController()
        controller.timeframe = .d1
        #expect(controller.setData(days) == .applied && controller.candles == days)
        controller.timeframe = .m1
        #expect(controller.setData([.at(300), .at(600), .at(900)]) == .applied)
        #expect(controller.totalCandleCount == 3)
        let months = [1_698_796_800.0, 1_701_388_800, 1_704_067_200, 1_706_745_600, 1_709_251_200].map { Candle.at($0) }
        controller.timeframe = .mo1
        #expect(controller.setData(months) == .applied && controller.candles == months)
    }

    @Test("single candles that begin elsewhere are left out and announced")
    func elsewhere() {
        let controller = ChartController()
        var said: [ChartAnnouncement] = []
        controller.onAnnouncement = { said.append($0) }
        let bars = walk(20, start: Self.start)
        #expect(controller.setData(bars + [.at(Self.start + 90), .at(Self.start + 60.5)]) == .applied)
        #expect(controller.candles == bars)
        #expect(
            said == [
                .otherTimeframe(count: 2, than: .m1), .loaded(bars: 20, symbol: "", timeframe: .m1),
            ])
        #expect(said[0].text == "2 candles of another timeframe than 1 minute left out.")
        #expect(controller.setData([.at(61)]) == .rejected(.otherTimeframe))
    }
}
