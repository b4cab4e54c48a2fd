import Synchronization
import TestKit
import Testing

@Suite("ManualClock")
struct ManualClockTests {
    final class Log: Sendable {
        private let lines = Mutex<[String]>([])
        func note(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    @Test("wake-ups come in order, those of one time as they were requested, at their own time")
    func order() {
        let clock = ManualClock(startingAt: 100)
        let log = Log()
        clock.schedule(after: .seconds(2)) { log.note("b \(clock.seconds)") }
        clock.schedule(after: .seconds(1)) { log.note("a \(clock.seconds)") }
        clock.schedule(after: .seconds(2)) { log.note("c \(clock.seconds)") }
        let never = clock.schedule(after: .seconds(1)) { log.note("never") }
        clock.cancel(never)
        #expect(clock.nextWakeUp?.seconds == 101)
        clock.advance(by: .seconds(1.5))
        #expect(log.all == ["a 101.0"])
        #expect(clock.seconds == 101.5)
        clock.advance(by: .seconds(10))
        #expect(log.all == ["a 101.0", "b 102.0", "c 102.0"])
        #expect(clock.pending == 0)
    }

    @Test("what is requested during a move comes in the same move, if it is due")
    func chains() {
        let clock = ManualClock()
        let log = Log()
        @Sendable func again() {
            log.note("\(clock.seconds)")
            clock.schedule(after: .seconds(10)) { again() }
        }
        clock.schedule(after: .seconds(10)) { again() }
        clock.advance(by: .seconds(35))
        #expect(log.all == ["10.0", "20.0", "30.0"])
        #expect(clock.advanceToNextWakeUp())
        #expect(clock.seconds == 40)
    }

    @Test("a sleep that begins while the clock moves past its end is woken", .timeLimit(.minutes(1)))
    func moving() async throws {
        for _ in 0..<5000 {
            let clock = ManualClock()
            let task = Task.detached { try await clock.sleep(until: ManualClock.Instant(.seconds(1))) }
            clock.advance(by: .seconds(1))
            try await task.value
        }
    }

    @Test("tasks sleep on it until it is moved")
    func sleeping() async throws {
        let clock = ManualClock()
        let task = Task {
            try await Task.sleep(until: clock.now.advanced(by: .seconds(60)), clock: clock)
            return clock.seconds
        }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(59))
        #expect(clock.pending == 1)
        clock.advance(by: .seconds(1))
        #expect(try await task.value == 60)
        // A time that has come is no sleep.
        try await clock.sleep(until: ManualClock.Instant(.seconds(1)))
    }

    @Test("a sleeper that is cancelled wakes at once, with an error")
    func cancelled() async throws {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(60)) }
        await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.pending == 0)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(60))
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }
}
