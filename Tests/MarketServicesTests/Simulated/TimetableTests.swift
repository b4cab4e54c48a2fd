import Testing

@testable import MarketServices

@Suite("Timetable", .timeLimit(.minutes(15)))
struct TimetableTests {
    @Test("jobs come at their own times, those of the same time in the order of the chain")
    func order() {
        var settings = SimulationSettings()
        settings.eventInterval = 3.0...3.0
        var table = Timetable(settings, start: 100)
        var seen: [String] = []
        while let (job, time) = table.popDue(by: 106) { seen.append("\(job)@\(Int(time))") }
        #expect(
            seen == [
                "health@101", "markets@102", "health@102", "event@103", "health@103", "markets@104", "health@104",
                "health@105", "markets@106", "event@106", "health@106",
            ])
        #expect(table.next == 107)
    }

    @Test("what was due long ago is left out, and everything goes on from now")
    func skips() {
        var table = Timetable(SimulationSettings(), start: 0)
        table.skip(to: 300)
        #expect(table.next == 1)
        table.skip(to: 28_800)
        var jobs: [Timetable.Job] = []
        while let (job, time) = table.popDue(by: 28_800) {
            jobs.append(job)
            #expect(time == 28_800)
        }
        #expect(jobs == [.markets, .event, .health])
    }

    @Test("an interval of nothing does not stop the time")
    func intervals() {
        var settings = SimulationSettings()
        settings.marketInterval = 0
        settings.healthInterval = -1
        settings.eventInterval = 0.0...0.0
        var table = Timetable(settings, start: 0)
        var count = 0
        while table.popDue(by: 1) != nil { count += 1 }
        #expect((2990...3010).contains(count))
    }
}
