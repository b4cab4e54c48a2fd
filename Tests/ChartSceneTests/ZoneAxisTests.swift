import MarketModel
import Testing

@testable import ChartScene

@Suite("The time axis in a zone")
struct ZoneAxisTests {
    static func seconds(_ year: Int, _ month: Int, _ day: Int, _ hour: Double = 0) -> Double {
        Double(CivilDate(year: year, month: month, day: day).daysSince1970) * 86_400 + hour * 3600
    }

    /// Bars of an hour or so from a time on, and the labels that a wide axis gives them, bold ones with a star.
    private func labels(
        _ zone: String, _ timeframe: Timeframe, from start: Double, bars: Int, spacing: Double
    ) throws -> [String] {
        var series = CandleSeries()
        for bar in 0..<bars {
            let time = start + Double(bar) * timeframe.seconds
            series.place(Candle(timestamp: time, open: 1, high: 1, low: 1, close: 1, volume: 0))
        }
        var ticks = TimeTicks()
        var clock = ZoneClock(try #require(TimeZoneRules(zone)))
        ticks.update(
            series: series, timeframe: timeframe, visible: 0..<bars, spacing: spacing, distance: 80, clock: &clock)
        return ticks.ticks.filter { $0.index >= 0 }.map { tick in
            var text = TextBuffer()
            text.append(tick: tick.rank, timestamp: tick.wall, step: ticks.step)
            return String(decoding: text.bytes, as: UTF8.self) + (tick.rank > ticks.step.ordinaryRank ? "*" : "")
        }
    }

    @Test("a day of 23 hours has no 02:00, and its next midnight stays midnight")
    func spring() throws {
        // From midnight in New York on 10 March 2024, when clocks went from 2 to 3.
        let start = Self.seconds(2024, 3, 10, 5)
        #expect(
            try labels("America/New_York", .m30, from: start, bars: 10, spacing: 80) == [
                "10 Mar*", "00:30", "01:00", "01:30", "03:00", "03:30", "04:00", "04:30", "05:00", "05:30",
            ])
        #expect(
            try labels("America/New_York", .h1, from: start, bars: 47, spacing: 14) == [
                "10 Mar*", "06:00", "12:00", "18:00", "11 Mar*", "06:00", "12:00", "18:00",
            ])
    }

    @Test("a day of 25 hours has 01:00 twice, and its next midnight stays midnight")
    func autumn() throws {
        let start = Self.seconds(2024, 11, 3, 4)
        #expect(
            try labels("America/New_York", .m30, from: start, bars: 8, spacing: 80) == [
                "3 Nov*", "00:30", "01:00", "01:30", "01:00", "01:30", "02:00", "02:30",
            ])
        #expect(
            try labels("America/New_York", .h1, from: start, bars: 50, spacing: 14) == [
                "3 Nov*", "06:00", "12:00", "18:00", "4 Nov*", "06:00", "12:00", "18:00", "5 Nov*",
            ])
    }

    @Test("a day without a midnight still begins, with the change of its clocks")
    func noMidnight() throws {
        // 21:00 in São Paulo; at midnight clocks go to 1.
        #expect(
            try labels("America/Sao_Paulo", .h1, from: Self.seconds(2018, 11, 4), bars: 7, spacing: 80) == [
                "21:00", "22:00", "23:00", "4 Nov*", "02:00", "03:00", "04:00",
            ])
    }

    @Test("months and years begin when they begin there, half hours from UTC too")
    func calendar() throws {
        #expect(
            try labels("Asia/Kolkata", .m30, from: Self.seconds(2023, 12, 31, 17), bars: 6, spacing: 80) == [
                "22:30", "23:00", "23:30", "2024*", "00:30", "01:00",
            ])
        #expect(
            try labels("Asia/Tokyo", .h1, from: Self.seconds(2024, 1, 31, 12), bars: 8, spacing: 80) == [
                "21:00", "22:00", "23:00", "1 Feb*", "01:00", "02:00", "03:00", "04:00",
            ])
    }

    private func texts(_ view: inout ChartView) -> [String] {
        var list = DisplayList()
        view.render(into: &list)
        return list.commands.filter { $0.opcode == .text }.map { String(decoding: $0.operands.utf8, as: UTF8.self) }
    }

    private func view(_ timeframe: Timeframe, width: Double = 900) -> ChartView {
        var view = ChartView(timeframe: timeframe)
        view.resize(width: width, height: 400, devicePixelRatio: 1)
        view.setSymbol("X".utf8, precision: 2)
        view.setData(
            (0..<100).map {
                Candle(
                    timestamp: Self.seconds(2024, 1, 1) + Double($0) * timeframe.seconds, open: 1000, high: 1001,
                    low: 999, close: 1000, volume: 1)
            })
        return view
    }

    @Test("the corner names the zone, by its abbreviation where the name is too long")
    func corner() throws {
        var view = view(.h1)
        #expect(texts(&view).last { $0 == "UTC" } != nil)
        view.setTimeZone(try #require(TimeZoneRules("America/New_York")))
        #expect(texts(&view).contains("New York"))
        view.setTimeZone(try #require(TimeZoneRules("America/Argentina/Buenos_Aires")))
        #expect(texts(&view).contains("-03:00"))
    }

    @Test("the crosshair shows the zone's time, and on a daily bar the bar's own date")
    func crosshair() throws {
        let newYork = try #require(TimeZoneRules("America/New_York"))
        var hours = view(.h1)
        hours.setTimeZone(newYork)
        hours.moveCrosshair(byBars: 1)
        hours.moveCrosshair(byBars: -99)
        #expect(texts(&hours).contains("Sun 31 Dec 2023  19:00"))
        var days = view(.d1)
        days.setTimeZone(newYork)
        days.moveCrosshair(byBars: 1)
        days.moveCrosshair(byBars: -99)
        #expect(texts(&days).contains("Mon 1 Jan 2024"))
        #expect(texts(&days).contains("UTC") && days.timeZone == newYork)
        // The timeframe chooses again.
        days.setTimeframe(.m1)
        #expect(texts(&days).contains("New York"))
    }
}
