import MarketModel
import Testing

@testable import CandlewireServer

@Suite("The last 24 hours")
struct DayStatisticsTests {
    private func minute(_ number: Int, high: Double = 11, low: Double = 9, volume: Double = 1) -> Candle {
        Candle(timestamp: Double(number * 60), open: 10, high: high, low: low, close: 10.5, volume: volume)
    }

    @Test("a high, a low and a volume leave the figures when they are a day old")
    func rollsOff() throws {
        var minutes = (0..<1500).map { minute($0) }
        minutes[0] = minute(0, high: 99, low: 1, volume: 500)
        let day = 86_400.0
        // The peak's minute is still inside…
        let before = try #require(DayStatistics(minutes: minutes.filter { $0.timestamp <= day }, now: day))
        #expect(before.high == 99)
        #expect(before.low == 1)
        #expect(before.volume == 500 + 1440)
        // … and a minute later it is not.
        let after = try #require(DayStatistics(minutes: minutes.filter { $0.timestamp <= day + 60 }, now: day + 60))
        #expect(after.high == 11)
        #expect(after.low == 9)
        #expect(after.volume == 1441)
    }

    @Test("high and low follow the price at once, change is against the price a day ago")
    func change() throws {
        let day = try #require(
            DayStatistics(minutes: [minute(0), minute(1, high: 12), minute(2, low: 8)], now: 180))
        #expect(day.high == 12)
        #expect(day.low == 8)
        #expect(day.change == 0.5)
        #expect(day.changePercent == 5)
    }
}
