import Testing

@testable import CandlewireServer

@Suite("The server's time and the system's clock")
struct ClockWatchTests {
    /// Compares once a second, beginning at second 1; returns each change with its second, and the server's time at the end.
    private func run(_ system: [Double], venueTimes: [Int: Double] = [:]) -> (changes: [String], time: Double) {
        var watch = ClockWatch(steady: 0, system: 1000)
        var changes: [String] = []
        for (index, system) in system.enumerated() {
            let second = index + 1
            switch watch.compare(steady: Double(second), system: system, venueTime: venueTimes[second]) {
            case .jumped(let seconds): changes.append("\(second) jumped \(seconds)")
            case .agrees: changes.append("\(second) agrees")
            case .followed(let seconds): changes.append("\(second) followed \(seconds)")
            case nil: break
            }
        }
        return (changes, Double(system.count) + watch.offset)
    }

    private static let day = 86_400.0

    @Test("small steps are followed without a word, forwards and backwards")
    func smallSteps() {
        let (changes, time) = run([1001, 1002.5, 1003.5, 1014, 1005])
        #expect(changes.isEmpty && time == 1005)
    }

    @Test("a jump is reported once, not followed, and its end is reported")
    func jump() {
        let day = Self.day
        let (changes, time) = run([1001, 1002 + 400 * day, 1003 + 400 * day, 1004 + 400 * day, 1005, 1006])
        #expect(changes == ["2 jumped \(400 * day)", "5 agrees"])
        #expect(time == 1006)
    }

    @Test("a jump that stays never moves the server's time, and a second jump is reported")
    func jumps() {
        let day = Self.day
        let (changes, time) = run([1001 - day, 1002 - day, 1003 + day, 1004 + day])
        #expect(changes == ["1 jumped \(-day)", "3 jumped \(day)"])
        #expect(time == 1004)
    }

    @Test("a jump with which a venue's message agrees is followed")
    func venue() {
        let day = Self.day
        let (changes, time) = run([1001, 1002 + day, 1003 + day, 1004 + day], venueTimes: [3: 1001 + day])
        #expect(changes == ["2 jumped \(day)", "3 followed \(day)"])
        #expect(time == 1004 + day)
    }

    @Test("a venue's message that agrees with the server's time does not make it follow the system's clock")
    func venueDisagrees() {
        let day = Self.day
        let (changes, time) = run([1001, 1002 + day, 1003 + day], venueTimes: [2: 1002, 3: 1003])
        #expect(changes == ["2 jumped \(day)"])
        #expect(time == 1003)
    }
}
