import HTTPTransport
import MarketModel
import Testing

@Suite("Retry policy", .timeLimit(.minutes(15)))
struct RetryPolicyTests {
    static func pause(
        _ failure: RetryPolicy.Failure, _ attempt: Int, isIdempotent: Bool = true, jitter: Double = 0, attempts: Int = 3
    ) -> Double? {
        var policy = RetryPolicy()
        policy.jitter = jitter
        policy.attempts = attempts
        var random = SeededGenerator(seed: 1)
        return policy.pause(after: failure, attempt: attempt, isIdempotent: isIdempotent, random: &random)
    }

    @Test("three attempts, one second and two between them, never more than ten")
    func exponential() {
        #expect(RetryPolicy().attempts == 3)
        #expect(Self.pause(.timedOut, 1) == 1)
        #expect(Self.pause(.timedOut, 2) == 2)
        #expect(Self.pause(.timedOut, 3) == nil)
        #expect((1...8).map { Self.pause(.lost, $0, attempts: 9) } == [1, 2, 4, 8, 10, 10, 10, 10])
        #expect(Self.pause(.lost, .max, attempts: .max) == nil)
    }

    @Test("chance takes up to a quarter off a pause")
    func jitter() {
        var random = SeededGenerator(seed: 3)
        let pauses = (0..<1000).map { _ in
            RetryPolicy().pause(after: .notConnected, attempt: 1, isIdempotent: true, random: &random) ?? -1
        }
        #expect(pauses.allSatisfy { (0.75...1).contains($0) })
        #expect(pauses.contains { $0 < 0.76 } && pauses.contains { $0 > 0.99 })
    }

    @Test("what is not idempotent is repeated only where it cannot have been carried out")
    func onceOnly() {
        #expect(Self.pause(.lost, 1, isIdempotent: false) == nil)
        #expect(Self.pause(.timedOut, 1, isIdempotent: false) == nil)
        #expect(Self.pause(.notConnected, 1, isIdempotent: false) == 1)
        #expect(Self.pause(.unavailable(retryAfter: nil), 1, isIdempotent: false) == 1)
    }

    @Test("where it is not wanted, a server that is not there is not tried again, unless an attempt may have arrived")
    func unreachable() {
        var policy = RetryPolicy()
        policy.retriesUnreachable = false
        policy.jitter = 0
        var random = SeededGenerator(seed: 1)
        #expect(policy.pause(after: .notConnected, attempt: 1, isIdempotent: true, random: &random) == nil)
        #expect(policy.pause(after: .notConnected, attempt: 2, isIdempotent: true, random: &random) == 2)
    }

    @Test("a server that names a time is tried again then, unless that is longer than this client waits")
    func retryAfter() {
        #expect(Self.pause(.unavailable(retryAfter: 4), 1) == 4)
        #expect(Self.pause(.unavailable(retryAfter: 10), 2) == 10)
        #expect(Self.pause(.unavailable(retryAfter: 60), 1) == nil)
    }
}
