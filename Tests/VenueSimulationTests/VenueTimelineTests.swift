import Testing

@testable import VenueSimulation

@Suite("When a recording is played")
struct VenueTimelineTests {
    private typealias Place = VenueTimeline.Place
    /// 0, 1, ... 29 s after 2021-04-17T16:43:00Z.
    private let session = RecordedSession(
        lines: (0..<30).map { "[\($0)]" }, times: (0..<30).map { 1_618_677_780_000_000_000 + $0 * 1_000_000_000 })

    @Test("at the recorded pace, a message is due as long after the first as it was received after it")
    func recorded() {
        let line = VenueTimeline(session, VenueSettings(pace: .recorded()), now: 500)
        #expect(line.due(Place(round: 0, index: 0)) == 500 && line.due(Place(round: 0, index: 7)) == 507)
        #expect(line.due(Place(round: 0, index: 30)) == nil && line.due(Place(round: 1, index: 0)) == nil)
        #expect(line.place(at: 506.5) == Place(round: 0, index: 7) && line.place(at: 507) == Place(round: 0, index: 8))
        #expect(!line.isOver(at: 528) && line.isOver(at: 529))
        #expect(line.shift(0) == 0 && line.clock(at: 510) == 1_618_677_790_000_000_000)
        let fast = VenueTimeline(session, VenueSettings(pace: .recorded(10)), now: 500)
        #expect(fast.due(Place(round: 0, index: 7)) == 500.7)
    }

    @Test(
        "times are moved by whole minutes, and are never ahead of the clock nor 290 s behind it",
        arguments: [0, 17, 59.9])
    func moved(_ second: Double) throws {
        for factor in [0.2, 1, 3, 1000] {
            let settings = VenueSettings(pace: .recorded(factor), times: .now)
            #expect(settings.problem(duration: session.duration) == nil)
            let now = 1_700_000_040 + second
            let line = VenueTimeline(session, settings, now: now)
            #expect(line.shift(0) % 60 == 0)
            for index in 0..<30 {
                let due = try #require(line.due(Place(round: 0, index: index)))
                let age = due - (Double(session.times[index]) / 1e9 + Double(line.shift(0)))
                #expect(age >= 0 && age < 290, "message \(index), \(factor) times as fast, is \(age) s old")
            }
        }
    }

    @Test("what cannot keep to that is refused with a reason")
    func objections() {
        #expect(VenueSettings(pace: .recorded(), times: .now).problem(duration: 86_400) == nil)
        #expect(VenueSettings(pace: .recorded(2), times: .now).problem(duration: 400) == nil)
        #expect(VenueSettings(pace: .recorded(3), times: .now).problem(duration: 346)?.contains("290 s") == true)
        #expect(VenueSettings(pace: .recorded(0.5), times: .now).problem(duration: 346) != nil)
        #expect(VenueSettings(pace: .asFastAsRead, times: .now).problem(duration: 346) != nil)
        #expect(VenueSettings(pace: .asFastAsRead, times: .asRecorded).problem(duration: 346) == nil)
    }

    @Test("the next round begins whole minutes later, and its times go on")
    func rounds() {
        let settings = VenueSettings(pace: .recorded(), times: .now, loops: true)
        let line = VenueTimeline(session, settings, now: 1_700_000_000)
        #expect(line.next(Place(round: 0, index: 29)) == Place(round: 1, index: 0))
        #expect(line.due(Place(round: 1, index: 0)) == 1_700_000_060)
        #expect(line.shift(1) - line.shift(0) == 60)
        #expect(line.place(at: 1_700_000_065) == Place(round: 1, index: 6))
        // As recorded, one round follows the other at once.
        let recorded = VenueTimeline(session, VenueSettings(pace: .recorded(), loops: true), now: 0)
        #expect(recorded.due(Place(round: 1, index: 0)) == 29 && recorded.shift(1) == 0)
    }

    @Test("played again after its end, times do not go back, and wait where they would run ahead")
    func again() throws {
        let settings = VenueSettings(pace: .recorded(), times: .now)
        let first = VenueTimeline(session, settings, now: 1_700_000_035)
        let second = VenueTimeline(session, settings, now: 1_700_000_064.5, after: first)
        #expect(second.beginning == Place(round: 1, index: 0) && second.shift(1) == first.shift(0) + 60)
        let due = try #require(second.due(second.beginning))
        #expect(due >= 1_700_000_064.5 && due >= 1_618_677_780 + Double(second.shift(1)))
    }

    @Test("rounds never begin without a pause: a second lies between them, whatever the pace and the length")
    func pauses() {
        let one = RecordedSession(lines: ["[0]"], times: [1_618_677_780_000_000_000])
        for (session, pace) in [(session, VenueSettings.Pace.asFastAsRead), (one, .recorded()), (one, .recorded(1e9))] {
            let line = VenueTimeline(session, VenueSettings(pace: pace, loops: true), now: 500)
            #expect(line.due(Place(round: 3, index: 0)) == 503)
        }
    }

    @Test("times that no clock showed count as the ends of the recording, and nothing overflows")
    func wildTimes() {
        for times in [[Int64.min, .max], [.max, .min], [-5, 5], [0, .max]] {
            let session = RecordedSession(lines: ["[0]", "[1]"], times: times)
            #expect(session.times.allSatisfy { 0...RecordedSession.latest ~= $0 } && session.duration >= 0)
            for pace in [VenueSettings.Pace.asFastAsRead, .recorded(), .recorded(1e-300), .recorded(1e300)] {
                for moved in [VenueSettings.Times.now, .asRecorded] {
                    let settings = VenueSettings(pace: pace, times: moved, loops: true)
                    let line = VenueTimeline(session, settings, now: 1_700_000_000)
                    _ = (
                        line.clock(at: 1.8e9), line.shift(9), line.due(Place(round: 9, index: 1)), line.place(at: 1.8e9)
                    )
                    _ = settings.problem(duration: session.duration)
                    #expect(TimeShift(around: session.times).moved([0x31], bySeconds: line.shift(1)) == [0x31])
                }
            }
        }
    }

    @Test("an empty recording plays nothing")
    func empty() {
        let line = VenueTimeline(RecordedSession(lines: []), VenueSettings(times: .now, loops: true), now: 5)
        #expect(line.due(line.beginning) == nil && line.isOver(at: 5))
        #expect(line.place(at: 100).index == 0)
    }
}
