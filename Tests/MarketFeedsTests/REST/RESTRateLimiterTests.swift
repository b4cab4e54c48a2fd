import MarketFeeds
import StreamCore
import Synchronization
import TestKit
import Testing

@Suite("REST rate limiter", .timeLimit(.minutes(15)))
struct RESTRateLimiterTests {
    /// Who got through, and when by the manual clock.
    final class Log: Sendable {
        private let entries = Mutex<[String]>([])
        func note(_ entry: String) { entries.withLock { $0.append(entry) } }
        var all: [String] { entries.withLock { $0 } }
    }

    let clock = ManualClock()
    let log = Log()

    /// A caller in a task of its own, known to be in the queue (or through) when this returns.
    private func caller(_ name: String, _ limiter: RESTRateLimiter) async -> Task<Void, any Error> {
        let before = await limiter.waiting
        let count = log.all.count
        let task = Task { [clock, log] in
            try await limiter.acquire()
            log.note("\(name) \(clock.seconds)")
        }
        while await limiter.waiting == before, log.all.count == count { await Task.yield() }
        return task
    }

    /// Moves the time, and lets the tasks that woke get as far as they can.
    private func advance(to seconds: Double, until count: Int) async {
        await clock.waitForSleepers(1)
        clock.advance(to: .init(.seconds(seconds)))
        while log.all.count < count { await Task.yield() }
    }

    @Test("one request a second, in the order they were requested")
    func order() async throws {
        let limiter = RESTRateLimiter(clock: clock)
        for name in ["a", "b", "c"] { _ = await caller(name, limiter) }
        #expect(log.all == ["a 0.0"])
        #expect(await limiter.waiting == 2)
        #expect(await limiter.delay == 3)
        await clock.waitForSleepers(1)
        clock.advance(to: .init(.seconds(0.999)))
        #expect(log.all.count == 1)
        await advance(to: 1, until: 2)
        await advance(to: 2, until: 3)
        #expect(log.all == ["a 0.0", "b 1.0", "c 2.0"])
        #expect(await limiter.waiting == 0)
    }

    @Test("a burst is let through after a pause, and no faster than the least interval")
    func burst() async throws {
        let free = RESTRateLimiter(.init(rate: 1, burst: 3, minimumInterval: 0), clock: clock)
        for name in ["a", "b", "c", "d"] { _ = await caller(name, free) }
        #expect(log.all == ["a 0.0", "b 0.0", "c 0.0"])
        await advance(to: 1, until: 4)
        let spaced = RESTRateLimiter(.init(rate: 1, burst: 3, minimumInterval: 0.25), clock: clock)
        for name in ["e", "f"] { _ = await caller(name, spaced) }
        await advance(to: 1.25, until: 6)
        #expect(log.all.suffix(3) == ["d 1.0", "e 1.0", "f 1.25"])
    }

    @Test("a cancelled caller gives its place back")
    func cancelled() async throws {
        let limiter = RESTRateLimiter(clock: clock)
        _ = await caller("a", limiter)
        let second = await caller("b", limiter)
        _ = await caller("c", limiter)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(await limiter.waiting == 1)
        await advance(to: 1, until: 2)
        #expect(log.all == ["a 0.0", "c 1.0"])
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await limiter.acquire()
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test("a pause that the server requests holds for every caller", arguments: [429, 503])
    func paused(status: Int) async throws {
        let limiter = RESTRateLimiter(clock: clock)
        _ = await caller("a", limiter)
        _ = await caller("b", limiter)
        await limiter.answered(status: status, retryAfter: "30")
        // The timer that was set before the pause fires, finds it, and waits again.
        await clock.waitForSleepers(1)
        clock.advance(to: .init(.seconds(1)))
        await clock.waitForSleepers(1)
        while clock.nextWakeUp?.seconds != 30 { await Task.yield() }
        _ = await caller("c", limiter)
        await advance(to: 30, until: 2)
        await advance(to: 31, until: 3)
        #expect(log.all == ["a 0.0", "b 30.0", "c 31.0"])
    }

    @Test("a limiter that is released while no caller waits keeps no timer")
    func released() async throws {
        var limiter: RESTRateLimiter? = RESTRateLimiter(clock: clock)
        try await limiter?.acquire()
        let waiting = await caller("b", limiter!)
        waiting.cancel()
        _ = await waiting.result
        limiter = nil
        while clock.pending > 0 { await Task.yield() }
        #expect(clock.pending == 0)
    }
}
