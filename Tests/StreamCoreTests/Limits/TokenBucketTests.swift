import StreamCore
import Testing

@Suite struct TokenBucketTests {
    @Test("a burst passes at once, then one every 1/rate seconds")
    func burstThenRate() {
        var bucket = TokenBucket(rate: 4, burst: 3, now: 10)
        var passed: [Double] = []
        for step in 0...40 {
            let now = 10 + Double(step) * 0.05
            if step < 3 { #expect(bucket.take(now: 10)) } else if bucket.take(now: now) { passed.append(now) }
        }
        #expect(passed.count == 8)
        for (index, at) in passed.enumerated() { #expect(abs(at - (10.25 + Double(index) * 0.25)) < 1e-9) }
    }

    @Test("at the time it names the token is there", arguments: [0.3, 1, 7, 20, 333.3])
    func namedTime(_ rate: Double) {
        var bucket = TokenBucket(rate: rate, burst: 5, now: 1_700_000_000.1)
        var now = 1_700_000_000.1
        for _ in 0..<200 {
            now = max(now, bucket.nextAvailable)
            #expect(bucket.take(now: now))
        }
        // 200 tokens, of which five were there.
        #expect(abs(now - 1_700_000_000.1 - 195 / rate) < 0.01)
    }

    @Test("a pause fills it up to the burst and no further")
    func pause() {
        var bucket = TokenBucket(rate: 10, burst: 2, now: 0)
        #expect(bucket.take(2, now: 0))
        #expect(!bucket.take(now: 0.05))
        #expect(bucket.take(2, now: 1000))
        #expect(!bucket.take(now: 1000))
    }

    @Test("a time that goes back counts as no time passed")
    func backwards() {
        var bucket = TokenBucket(rate: 1, burst: 1, now: 100)
        #expect(bucket.take(now: 100))
        #expect(!bucket.take(now: 50))
        #expect(!bucket.take(now: 100.9))
        #expect(bucket.take(now: 101))
    }

    @Test("what can never be had is never available")
    func never() {
        var bucket = TokenBucket(rate: 0, burst: 1, now: 0)
        #expect(bucket.take(now: 0))
        #expect(bucket.nextAvailable == .infinity)
        #expect(TokenBucket(rate: 5, burst: 2, now: 0).nextAvailable(3) == .infinity)
    }
}
