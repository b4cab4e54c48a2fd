import StreamCore
import Testing

@Suite struct TokenBucketTests {
    @Test("a burst passes at once, then one every 1/rate seconds")
    func burstThenRate() {
        var bucket = TokenBucket(rate: 4, burst: 3, now: 10)
        var passed: [Double] = []
        for step in 0...40 {
            let now = 10 + Double(step) * 0.05
            if step < 3 {
                expect(&bucket, at: 10, true)
            } else if bucket.consume(now: now) {
                passed.append(now)
            }
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
            expect(&bucket, at: now, true)
        }
        // 200 tokens, of which five were there.
        #expect(abs(now - 1_700_000_000.1 - 195 / rate) < 0.01)
    }

    @Test("a pause fills it up to the burst and no further")
    func pause() {
        var bucket = TokenBucket(rate: 10, burst: 2, now: 0)
        expect(&bucket, 2, at: 0, true)
        expect(&bucket, at: 0.05, false)
        expect(&bucket, 2, at: 1000, true)
        expect(&bucket, at: 1000, false)
    }

    @Test("a time that goes back counts as no time passed")
    func backwards() {
        var bucket = TokenBucket(rate: 1, burst: 1, now: 100)
        expect(&bucket, at: 100, true)
        expect(&bucket, at: 50, false)
        expect(&bucket, at: 100.9, false)
        expect(&bucket, at: 101, true)
    }

    @Test("what can never be had is never available")
    func never() {
        var bucket = TokenBucket(rate: 0, burst: 1, now: 0)
        expect(&bucket, at: 0, true)
        #expect(bucket.nextAvailable == .infinity)
        #expect(TokenBucket(rate: 5, burst: 2, now: 0).nextAvailable(3) == .infinity)
    }

    private func expect(_ bucket: inout TokenBucket, _ count: Double = 1, at now: Double, _ passes: Bool) {
        let did = bucket.consume(count, now: now)
        #expect(did == passes, "at \(now)")
    }
}
