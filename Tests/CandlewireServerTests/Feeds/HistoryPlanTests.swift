import MarketModel
import Testing

@testable import CandlewireServer

@Suite("which minutes are fetched from a venue")
struct HistoryPlanTests {
    /// 2024-08-08 00:00 UTC, a whole minute.
    private let day = 1_723_075_200.0

    @Test("the past up to the minute of the start, and that minute when it is over")
    func beginning() {
        var plan = HistoryPlan()
        #expect(plan.due(now: day) == nil)
        plan.begin(from: day - 600, now: day + 30)
        #expect(plan.due(now: day + 30) == day - 600..<day)
        _ = plan.fetched(day - 600..<day, covered: day - 600..<day, now: day + 30)
        #expect(plan.due(now: day + 60) == nil, "trades of a minute may come for some seconds after it")
        #expect(plan.due(now: day + 72) == day..<day + 60)
        _ = plan.fetched(day..<day + 60, covered: day..<day + 60, now: day + 72)
        #expect(plan.stretches.isEmpty)
    }

    @Test("an outage is the minutes from a while before it to its end; several become one where they touch")
    func outages() {
        var plan = HistoryPlan()
        plan.cameUp(now: day)
        #expect(plan.stretches.isEmpty, "it was never down")
        plan.wentDown(now: day + 100)
        plan.wentDown(now: day + 130)
        plan.cameUp(now: day + 250)
        #expect(plan.stretches == [day..<day + 300])
        plan.wentDown(now: day + 310)
        plan.cameUp(now: day + 320)
        #expect(plan.stretches == [day..<day + 360])
        plan.wentDown(now: day + 1000)
        plan.cameUp(now: day + 1001)
        #expect(plan.stretches == [day..<day + 360, day + 900..<day + 1020])
        #expect(plan.due(now: day + 1002) == day..<day + 360)
        _ = plan.fetched(day + 60..<day + 120, covered: day + 60..<day + 120, now: day)
        #expect(plan.stretches == [day..<day + 60, day + 120..<day + 360, day + 900..<day + 1020])
    }

    @Test("a clock that is set back, or was wrong, makes no stretch that cannot be")
    func clocks() {
        var plan = HistoryPlan()
        plan.begin(from: day + 86_400, now: day)
        #expect(plan.stretches == [day..<day + 60])
        plan.wentDown(now: day + 100_000)
        plan.cameUp(now: day + 300)
        #expect(plan.stretches == [day..<day + 60, day + 300..<day + 360])
    }

    @Test("trades that are known to be missing are those of the last seconds")
    func missing() {
        var plan = HistoryPlan()
        plan.missed(since: day + 3, now: day + 5)
        #expect(plan.stretches == [day - 60..<day + 60])
    }

    @Test("what is missing lies between the last trade that was seen and now, however long that is")
    func missingSince() {
        var plan = HistoryPlan()
        plan.missed(since: day - 1000, now: day + 5)
        #expect(plan.stretches == [day - 1020..<day + 60])
    }

    @Test("a request that failed is made again after growing pauses, and nothing is forgotten")
    func failing() {
        var plan = HistoryPlan()
        plan.missed(since: day, now: day)
        var now = day + 200
        var pauses: [Double] = []
        for _ in 0..<9 {
            plan.failed(now: now)
            let start = now
            while plan.due(now: now) == nil { now += 1 }
            pauses.append(now - start)
        }
        #expect(pauses == [5, 10, 20, 40, 80, 160, 300, 300, 300])
        _ = plan.fetched(day - 60..<day + 60, covered: day - 60..<day + 60, now: now)
        #expect(plan.due(now: now) == nil)
        plan.missed(since: now, now: now)
        plan.failed(isRefusal: true, now: now)
        #expect(plan.due(now: now + 3599) == nil && plan.due(now: now + 3600) != nil, "a refusal is not for ever")
    }

    @Test("only what the venue has sent counts as fetched: the rest is requested again, or is lost")
    func uncovered() {
        var plan = HistoryPlan()
        plan.begin(from: day - 600, now: day - 1)
        let requested = day - 600..<day
        #expect(plan.due(now: day + 12) == requested)
        // Its clock is late.
        #expect(plan.fetched(requested, covered: day - 600..<day - 300, now: day + 12) == nil)
        #expect(plan.stretches == [day - 300..<day])
        #expect(plan.due(now: day + 16) == nil && plan.due(now: day + 17) == day - 300..<day)
        #expect(plan.fetched(day - 300..<day, covered: day - 300..<day - 300, now: day + 17) == nil)
        #expect(plan.stretches == [day - 300..<day] && plan.due(now: day + 26) == nil, "and longer each time")
        // It has the newest only.
        #expect(plan.fetched(day - 300..<day, covered: day - 120..<day, now: day + 40) == day - 300..<day - 120)
        #expect(plan.stretches.isEmpty)
        plan.begin(from: day - 600, now: day - 1)
        #expect(plan.fetched(requested, covered: day..<day + 60, now: day + 40) == requested)
        #expect(plan.stretches.isEmpty)
    }

    @Test("a long stretch is requested in parts that memory has room for")
    func long() {
        var plan = HistoryPlan()
        plan.begin(from: day - 5 * 86_400, now: day)
        #expect(plan.due(now: day + 60) == day - 5 * 86_400..<day - 4 * 86_400)
    }

    @Test(
        "of a market's start: minutes, hours and days, each to where it is stored, with the whole of what was open then"
    )
    func market() {
        var plan = MarketHistoryPlan(timeframes: [.m1, .m5, .h1, .d1], now: day)
        plan.begin(stored: [:], now: day + 30)
        #expect(plan.plan(.m1)?.stretches == [day - 86_400..<day + 60])
        #expect(plan.plan(.h1)?.stretches == [day - 720 * 3600..<day + 3600])
        #expect(plan.plan(.d1)?.stretches == [day - 700 * 86_400..<day + 86_400])
        #expect(plan.due(.h1, now: day + 30) == day - 720 * 3600..<day, "the open one when it is over")

        var restarted = MarketHistoryPlan(timeframes: [.m1, .h1, .d1], now: day)
        restarted.begin(stored: [.m1: day - 700, .h1: day - 7200, .d1: day - 86_400], now: day + 30)
        #expect(restarted.plan(.m1)?.stretches == [day - 3600..<day + 60])
        #expect(restarted.plan(.h1)?.stretches == [day - 86_400..<day + 3600])
        // The month began on a Thursday, the week before it on Monday, and the day is a Wednesday.
        #expect(restarted.plan(.d1)?.stretches == [day - 7 * 86_400..<day + 86_400])
        restarted.begin(stored: [.m1: day + 1e6], now: day + 30)
        #expect(restarted.plan(.m1)?.stretches == [day - 3600..<day + 60], "written while the clock was wrong")

        var none = MarketHistoryPlan(timeframes: [], now: day)
        none.begin(stored: [:], now: day)
        none.cameUp(now: day)
        #expect(none.due(.m1, now: day + 1000) == nil)
    }

    @Test("minutes that a venue has not any more are requested as hours, and those as days")
    func coarser() {
        var plan = MarketHistoryPlan(timeframes: [.m1, .h1, .d1], now: day)
        plan.cameUp(now: day)
        let now = day + 100_000
        plan.wentDown(now: day + 20_000)
        plan.cameUp(now: now)
        var requested = plan.due(.m1, now: now + 100)!
        while let due = plan.due(.m1, now: now + 100) {
            requested = due
            plan.fetched(
                .m1, due, covered: max(due.lowerBound, now - 43_200)..<max(due.upperBound, now - 43_200), now: now)
        }
        #expect(requested.upperBound == 60 * ((now + 60) / 60).rounded(.down))
        let hours = plan.plan(.h1)!.stretches
        #expect(hours == [day - 3600..<day + 3600, day + 18_000..<day + 57_600])
        plan.fetched(.h1, hours[1], covered: hours[1].upperBound..<hours[1].upperBound, now: now)
        #expect(plan.plan(.d1)!.stretches == [day..<day + 86_400])
        plan.failed(.h1, isRefusal: true, now: now)
        #expect(plan.due(.h1, now: now + 1000) == nil)
    }
}
