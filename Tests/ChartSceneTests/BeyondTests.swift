import MarketModel
import Testing

@testable import ChartScene

@Suite("Times beyond the bars")
struct BeyondTests {
    private func series(_ timestamps: [Double]) -> CandleSeries {
        var series = CandleSeries(capacity: 1000)
        for time in timestamps {
            series.place(Candle(timestamp: time, open: 1, high: 1, low: 1, close: 1, volume: 0))
        }
        return series
    }

    /// 2023-12-31 00:00:00 UTC
    private let newYearsEve = 1_703_980_800.0

    @Test("places after the newest bar have the times of the bars that come there", arguments: Timeframe.allCases)
    func after(timeframe: Timeframe) {
        let start = timeframe.bucketStart(of: newYearsEve)
        let series = series([start])
        var time = start
        for index in 1...50 {
            time = timeframe.bucketEnd(ofBucketAt: time)
            #expect(series.time(at: index, timeframe) == time)
            #expect(series.index(notBefore: time, timeframe) == index)
            #expect(series.index(notBefore: time - 0.5, timeframe) == index)
        }
    }

    @Test("places before the oldest bar lead up to it", arguments: Timeframe.allCases)
    func before(timeframe: Timeframe) {
        let series = series([timeframe.bucketStart(of: newYearsEve)])
        for index in (-50)...(-1) {
            let time = series.time(at: index, timeframe)
            #expect(timeframe.bucketEnd(ofBucketAt: time) == series.time(at: index + 1, timeframe))
            #expect(series.index(notBefore: time, timeframe) == index)
        }
    }

    @Test("places have times from 1970 to 9999 only", arguments: [Timeframe.m1, .d1, .mo1])
    func limits(timeframe: Timeframe) {
        let series = series([timeframe.bucketStart(of: 86_400 * 365)])
        let dated = series.datedIndices(timeframe)
        if timeframe == .mo1 { #expect(dated == (-12)..<(8029 * 12)) }
        #expect(series.time(at: dated.lowerBound, timeframe) >= 0)
        #expect(series.time(at: dated.upperBound - 1, timeframe) <= Calendar.latest)
        // Bars outside of those years have no places beyond them.
        #expect(self.series([Calendar.latest * 2]).datedIndices(timeframe).isEmpty)
        #expect(self.series([]).datedIndices(timeframe).isEmpty)
    }

    @Test("the axis of a few bars has the labels that it has among many")
    func ticks() {
        let many = series((0..<400).map { newYearsEve + Double($0) * 300 })
        let few = series((200..<202).map { newYearsEve + Double($0) * 300 })
        var ticks = TimeTicks()
        var clock = ZoneClock(.utc)
        ticks.update(series: many, timeframe: .m5, visible: 150..<260, spacing: 7, distance: 80, clock: &clock)
        let expected = ticks.ticks.map(\.timestamp)
        ticks.update(series: few, timeframe: .m5, visible: -50..<60, spacing: 7, distance: 80, clock: &clock)
        #expect(ticks.ticks.map(\.timestamp) == expected && expected.count > 5)
    }
}
