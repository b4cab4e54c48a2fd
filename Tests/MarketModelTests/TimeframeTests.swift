import MarketModel
import TestKit
import Testing

@Suite("Timeframe")
struct TimeframeTests {
    @Test(
        "raw values and lengths",
        arguments: [
            ("1s", 1.0), ("5s", 5), ("15s", 15), ("1m", 60), ("3m", 180), ("5m", 300), ("15m", 900), ("30m", 1800),
            ("1h", 3600), ("2h", 7200), ("4h", 14_400), ("6h", 21_600), ("12h", 43_200), ("1d", 86_400),
            ("1w", 604_800),
        ])
    func lengths(name: String, seconds: Double) {
        #expect(Timeframe(rawValue: name)?.seconds == seconds)
        #expect(Timeframe(rawValue: name)?.bucketStart(of: 1_700_000_000.5) ?? 0 <= 1_700_000_000.5)
    }

    @Test(
        "weeks start on Monday, months on their first, UTC",
        arguments: [
            // time, week's start, month's start
            (1_709_251_199.0, 1_708_905_600.0, 1_706_745_600.0),  // 2024-02-29 23:59:59, a leap day, a Thursday
            (1_709_251_200, 1_708_905_600, 1_709_251_200),  // 2024-03-01 00:00:00
            (1_704_067_200, 1_704_067_200, 1_704_067_200),  // 2024-01-01 00:00:00, a Monday
            (1_735_689_599, 1_735_516_800, 1_733_011_200),  // 2024-12-31 23:59:59
        ])
    func calendar(time: Double, week: Double, month: Double) {
        #expect(Timeframe.w1.bucketStart(of: time) == week)
        #expect(Timeframe.mo1.bucketStart(of: time) == month)
    }

    @Test(
        "months end where the next one starts",
        arguments: [
            (1_706_745_600.0, 29.0), (1_675_209_600, 28), (1_735_689_600, 31), (1_743_465_600, 30),
        ])
    func monthLengths(start: Double, days: Double) {
        #expect(Timeframe.mo1.bucketStart(of: start) == start)
        #expect(Timeframe.mo1.bucketEnd(ofBucketAt: start) == start + days * 86_400)
    }

    @Test("every moment lies in its bucket, and buckets join without a hole", arguments: Timeframe.allCases)
    func joins(timeframe: Timeframe) {
        var generator = SeededGenerator(seed: 4711)
        for _ in 0..<500 {
            let time = Double.random(in: 1..<4e9, using: &generator)
            let start = timeframe.bucketStart(of: time)
            let end = timeframe.bucketEnd(ofBucketAt: start)
            #expect(start <= time && time < end)
            #expect(timeframe.bucketStart(of: end) == end)
            #expect(timeframe.bucketStart(of: end.nextDown) == start)
        }
    }

    @Test("next and previous stop at the ends")
    func neighbours() {
        #expect(Timeframe.m1.next == .m3)
        #expect(Timeframe.mo1.next == .mo1)
        #expect(Timeframe.m1.previous == .s15)
        #expect(Timeframe.s1.previous == .s1)
    }

    @Test(
        "which timeframes are made of which",
        arguments: [
            (Timeframe.m5, Timeframe.m3, false), (.m15, .m5, true), (.m15, .m3, true), (.mo1, .d1, true),
            (.mo1, .w1, false),
            (.w1, .d1, true), (.h6, .h4, false), (.h12, .h4, true), (.m1, .m5, false), (.s1, .s1, true),
        ])
    func nesting(coarse: Timeframe, fine: Timeframe, expected: Bool) {
        #expect(coarse.isMadeOf(fine) == expected)
    }

    @Test("civil dates go there and back over four centuries")
    func civilDates() {
        for days in stride(from: -200_000, to: 200_000, by: 37) {
            #expect(CivilDate(daysSince1970: days).daysSince1970 == days)
        }
        #expect(CivilDate(timestamp: 951_782_400) == CivilDate(year: 2000, month: 2, day: 29))
        #expect(CivilDate(timestamp: -1) == CivilDate(year: 1969, month: 12, day: 31))
    }
}
