import MarketModel
import Testing

@testable import ChartScene

@Suite("Ticks of the time axis")
struct TimeTicksTests {
    private func series(_ timestamps: some Sequence<Double>) -> CandleSeries {
        var series = CandleSeries(capacity: 100_000)
        for time in timestamps {
            series.place(Candle(timestamp: time, open: 1, high: 1, low: 1, close: 1, volume: 0))
        }
        return series
    }

    /// The labels, with a star where they are bold.
    private func labels(_ series: CandleSeries, _ timeframe: Timeframe, spacing: Double) -> [String] {
        var ticks = TimeTicks()
        var clock = ZoneClock(.utc)
        ticks.update(
            series: series, timeframe: timeframe, visible: 0..<series.count, spacing: spacing, distance: 80,
            clock: &clock)
        return ticks.ticks.filter { $0.index >= 0 }.map { tick in
            var text = TextBuffer()
            text.append(tick: tick.rank, timestamp: tick.wall, step: ticks.step)
            return String(decoding: text.bytes, as: UTF8.self) + (tick.rank > ticks.step.ordinaryRank ? "*" : "")
        }
    }

    /// 2023-12-31 00:00:00 UTC
    private let newYearsEve = 1_703_980_800.0

    /// Bars from `hours` after the start of 2023-12-31 and the labels they get.
    struct Row: Sendable {
        let timeframe: Timeframe
        let hours: Double
        let bars: Int
        let expected: [String]
    }

    private static let rows: [Row] = [
        Row(timeframe: .s1, hours: 21, bars: 31, expected: ["21:00:00", "21:00:15", "21:00:30"]),
        Row(timeframe: .m1, hours: 23.75, bars: 31, expected: ["23:45", "2024*", "00:15"]),
        Row(timeframe: .m5, hours: 1, bars: 30, expected: ["01:00", "02:00", "03:00"]),
        Row(timeframe: .h1, hours: 0, bars: 49, expected: ["31 Dec*", "12:00", "2024*", "12:00", "2 Jan*"]),
        // Monday the 8th is too close to the year's label.
        Row(timeframe: .d1, hours: 0, bars: 33, expected: ["2024*", "22", "Feb*"]),
        Row(timeframe: .w1, hours: 24, bars: 30, expected: ["2024*", "Apr", "Jul"]),
    ]

    @Test("the step leaves room for a label and reads well", arguments: rows)
    func table(_ row: Row) {
        let start = newYearsEve + row.hours * 3600
        let series = series((0..<row.bars).map { start + Double($0) * row.timeframe.seconds })
        #expect(labels(series, row.timeframe, spacing: 7) == row.expected)
    }

    @Test("months and years of calendar bars")
    func calendarMonths() {
        let months = (0..<30).map { Double(CivilDate(year: 2022 + $0 / 12, month: $0 % 12 + 1, day: 1).daysSince1970) }
        let series = series(months.map { $0 * 86_400 })
        #expect(
            labels(series, .mo1, spacing: 30) == [
                "2022*", "Apr", "Jul", "Oct", "2023*", "Apr", "Jul", "Oct", "2024*", "Apr",
            ])
        #expect(labels(series, .mo1, spacing: 7) == ["2022", "2023", "2024"])
    }

    @Test("after a gap in trading the tick of higher rank stays")
    func gap() {
        // Bars until 15:59 on a Friday, then from 09:30 on the Monday: its first bar is a day's and a 15 minutes' tick.
        let friday = newYearsEve - 2 * 86_400
        let first = (0..<60).map { friday + 15 * 3600 + Double($0) * 60 }
        let second = (0..<30).map { friday + 3 * 86_400 + 9.5 * 3600 + Double($0) * 60 }
        #expect(
            labels(series(first + second), .m1, spacing: 7) == ["15:00", "15:15", "15:30", "15:45", "2024*", "09:45"])
    }

    @Test("dragging the chart does not change which bars have ticks")
    func stable() {
        // Days of trading from 13:30 to 20:00 with nothing between them.
        let minutes = (0..<6).flatMap { day in (0..<390).map { Double(day * 1440 + 810 + $0) } }
        let series = series(minutes.map { newYearsEve + $0 * 60 })
        var ticks = TimeTicks()
        var clock = ZoneClock(.utc)
        ticks.update(
            series: series, timeframe: .m1, visible: 0..<series.count, spacing: 7, distance: 80,
            clock: &clock)
        let all = ticks.ticks
        for start in stride(from: 100, to: 1000, by: 13) {
            let visible = start..<start + 200
            ticks.update(
                series: series, timeframe: .m1, visible: visible, spacing: 7, distance: 80,
                clock: &clock)
            let seen = ticks.ticks.filter { $0.index >= start + 20 }
            #expect(seen == all.filter { $0.index >= start + 20 && visible.contains($0.index) })
        }
    }

    @Test(
        "the crosshair's date is as exact as the timeframe",
        arguments: [
            (Timeframe.s5, "Sun 31 Dec 2023  01:02:05"), (.m1, "Sun 31 Dec 2023  01:02"), (.d1, "Sun 31 Dec 2023"),
            (.mo1, "Dec 2023"),
        ])
    func barDate(timeframe: Timeframe, expected: String) {
        var text = TextBuffer()
        text.append(barDate: newYearsEve + 3725, timeframe: timeframe)
        #expect(String(decoding: text.bytes, as: UTF8.self) == expected)
    }
}
