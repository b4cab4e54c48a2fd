import MarketModel
import StreamCore
import Testing

@Suite("Backoff")
struct BackoffTests {
    @Test("waits double up to the cap, and are drawn from zero to that")
    func fullJitter() {
        var backoff = Backoff(.init(base: 1, cap: 30, attempts: 10, slowRetry: 60))
        let waits = (0..<10).map { _ in backoff.next(random: 0.5) }
        #expect(waits == [1, 2, 4, 8, 15, 15, 15, 15, 15, 15])
        #expect(!backoff.isSlow)
        let slow = backoff.next(random: 0.5)
        #expect(slow == 60)
        #expect(backoff.isSlow)
        backoff.reset()
        #expect(backoff.attempts == 0)
        #expect(!backoff.isSlow)
    }

    @Test("an attempt limit without a slow retry ends it")
    func attemptLimit() {
        var backoff = Backoff(.init(attempts: 2, slowRetry: nil))
        let waits = (0..<4).map { _ in backoff.next(random: 0.5) }
        #expect(waits == [1, 2, nil, nil])
    }

    @Test("the first attempts have a smaller cap while the user is watching")
    func patience() {
        let configuration = Backoff.Configuration(watched: .init(attempts: 3, cap: 3))
        var backoff = Backoff(configuration)
        let watched = (0..<5).map { _ in backoff.next(random: 1, isWatched: true) }
        #expect(watched == [2, 3, 3, 16, 30])
        backoff = Backoff(configuration)
        let hidden = (0..<3).map { _ in backoff.next(random: 1) }
        #expect(hidden == [2, 4, 8])
    }

    @Test("without jitter the waits begin with the first and double up to the cap")
    func noJitter() {
        let waits = Backoff.Configuration(first: 1, cap: 10)
        #expect((1...6).map { waits.wait(before: $0) } == [1, 2, 4, 8, 10, 10])
        #expect(waits.wait(before: .max) == 10)
        #expect(Backoff.Configuration(first: 0, cap: .infinity).wait(before: .max) == 0)
        #expect(Backoff.Configuration(first: 20, cap: 10).wait(before: 1) == 10)
    }

    @Test("a part of each wait can be left to chance")
    func partialJitter() {
        let waits = Backoff.Configuration(first: 4, cap: 10, jitter: 0.25)
        #expect(waits.wait(before: 1, random: 0) == 3)
        #expect(waits.wait(before: 1, random: 0.5) == 3.5)
        #expect(waits.wait(before: 3, random: 0) == 7.5)
        var generator = SeededGenerator(seed: 1)
        for attempt in 1...200 {
            #expect(waits.wait(before: attempt, random: generator.unit()) <= 10)
        }
    }
}
