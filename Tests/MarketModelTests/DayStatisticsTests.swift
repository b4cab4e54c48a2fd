import MarketModel
import Testing

@Suite struct DayStatisticsTests {
    private static func minutes(_ volumes: [Double]) -> [Candle] {
        volumes.enumerated().map {
            Candle(timestamp: Double($0.offset) * 60, open: 1, high: 1, low: 1, close: 1, volume: $0.element)
        }
    }

    @Test("the day's volume is the exact sum, in whatever order")
    func volume() throws {
        let volumes = (1...1_000).map { Double($0) / 1e8 } + [0.1, 0.2, 212.0331500]
        let day = try #require(DayStatistics(minutes: Self.minutes(volumes), now: 86_400))
        #expect(day.volume == 212.338155, "212.33315 and half of 1,000 times 1,001 hundred-millionths")
        #expect(day == DayStatistics(minutes: Self.minutes(volumes.reversed()), now: 86_400))
    }
}
