import TestKit
import Testing

@testable import FinanceChartsKit

@Suite("Late ticks")
@MainActor
struct LateTickTests {
    @Test(
        "ticks up to 8 s late: every way of showing a result gives the series of the ticks in order",
        arguments: 1...10 as ClosedRange<UInt64>)
    func everyWay(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var stream = TickStream(seed: seed)
        let arriving = stream.next(1000).map { ($0, $0.timestamp + Double.random(in: 0..<8, using: &random)) }
            .sorted { $0.1 < $1.1 }.map(\.0)
        for timeframe in [Timeframe.s1, .s5, .m1] {
            let charts = (0..<4).map { _ in
                let chart = ChartController()
                chart.timeframe = timeframe
                return chart
            }
            let updates = ThrottledUpdateManager(chartController: charts[3], interval: 3600)
            var builder = OHLCBuilder(timeframe: timeframe)
            var corrections = 0
            for tick in arriving {
                let result = builder.ingest(tick)
                if result.corrected != nil { corrections += 1 }
                charts[0].apply(result)
                if let updated = result.updated { charts[1].updateLast(updated) }
                if let appended = result.appended {
                    charts[1].append(appended)
                    charts[2].append(appended)
                }
                if let updated = result.updated { charts[2].updateLast(updated) }
                updates.queueUpdate(result)
                if random.below(10) == 0 { updates.flush() }
            }
            updates.flush()
            let expected = Self.candles(of: arriving, timeframe)
            for (way, chart) in charts.enumerated() {
                #expect(chart.candles == expected, "way \(way), \(timeframe), seed \(seed)")
            }
            #expect(corrections > 5)
        }
    }

    /// The bars of these ticks in order of their times, of equal ones in order of arrival.
    private static func candles(of arriving: [Tick], _ timeframe: Timeframe) -> [Candle] {
        let sorted = arriving.enumerated().sorted {
            ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset)
        }
        var aggregator = TickAggregator(timeframes: [timeframe])
        var candles: [Candle] = []
        for (_, tick) in sorted { aggregator.ingest(tick) { candles.append($0.candle) } }
        if let forming = aggregator.forming(timeframe) { candles.append(forming.candle) }
        return candles
    }
}
