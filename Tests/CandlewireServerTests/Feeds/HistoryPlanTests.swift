import Testing

@testable import CandlewireServer

@Suite("D-14: which minutes are fetched from a venue")
struct HistoryPlanTests {
    /// 2024-08-08 00:00 UTC, a whole minute.
    private let day = 1_723_075_200.0

    @Test("the past up to the minute of the start, and that minute when it is over")
    func beginning() {
        var plan = HistoryPlan()
        #expect(plan.due(now: day) == nil)
        plan.begin(from: day - 600, now: day + 30)
        #expect(plan.due(now: day + 30) == day - 600..<day)
        plan.fetched(day - 600..<day)
        #expect(plan.due(now: day + 60) == nil, "trades of a minute may come for some seconds after it")
        #expect(plan.due(now: day + 72) == day..<day + 60)
        plan.fetched(day..<day + 60)
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
        plan.fetched(day + 60..<day + 120)
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
        plan.missed(now: day + 5)
        #expect(plan.stretches == [day - 60..<day + 60])
    }

    @Test("a request that failed is made again after growing pauses, and nothing is forgotten")
    func failing() {
        var plan = HistoryPlan()
        plan.missed(now: day)
        var now = day + 200
        var pauses: [Double] = []
        for _ in 0..<9 {
            plan.failed(now: now)
            let start = now
            while plan.due(now: now) == nil { now += 1 }
            pauses.append(now - start)
        }
        #expect(pauses == [5, 10, 20, 40, 80, 160, 300, 300, 300])
        plan.fetched(day - 60..<day + 60)
        #expect(plan.due(now: now) == nil)
    }
}
