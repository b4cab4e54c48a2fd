import MarketFeeds
import StreamCore
import TestKit
import Testing
import WebSocketTransport

@Suite("Request pacer")
struct RequestPacerTests {
    @Test("never more than the rate over any stretch of time, and never closer than the interval", arguments: 1...5)
    func property(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let configuration = RequestPacer.Configuration(rate: 5, burst: 3, minimumInterval: 0.1)
        var pacer = RequestPacer(configuration, now: 0)
        var now = 0.0
        var sent: [Double] = []
        for _ in 0..<5000 {
            now += Double.random(in: 0..<0.3, using: &generator) * (Bool.random(using: &generator) ? 1 : 0.1)
            if pacer.acquire(now: now) {
                sent.append(now)
            } else {
                #expect(pacer.nextAvailable > now)
                // What it promises, it keeps.
                if Bool.random(using: &generator) {
                    now = pacer.nextAvailable
                    let isTaken = pacer.acquire(now: now)
                    #expect(isTaken)
                    sent.append(now)
                }
            }
        }
        for (a, b) in zip(sent, sent.dropFirst()) { #expect(b - a >= 0.1 - 1e-9) }
        for (a, b) in zip(sent, sent.dropFirst(10)) { #expect(b - a >= (10 - 3) / 5 - 1e-6) }
        #expect(Double(sent.count) / now > 3)
    }

    @Test("refusals without a time pause longer and longer, up to a bound; a success ends the series")
    func growing() {
        var pacer = RequestPacer(.init(firstPause: 2, maxPause: 10), now: 0)
        var pauses: [Double] = []
        var now = 0.0
        for _ in 0..<5 {
            pacer.answered(status: 429, retryAfter: nil, now: now)
            pauses.append(pacer.pausedUntil - now)
            now = pacer.pausedUntil
        }
        #expect(pauses == [2, 4, 8, 10, 10])
        var paused = RequestPacer(now: 0)
        paused.answered(status: 429, retryAfter: 3600, now: 0)
        #expect(paused.nextAvailable == 3600, "an hour is an hour")
        pacer.answered(status: 200, retryAfter: nil, now: now)
        pacer.answered(status: 503, retryAfter: nil, now: now)
        #expect(pacer.pausedUntil == now + 2)
        let isEarly = pacer.acquire(now: now + 1.9)
        #expect(!isEarly)
        let isDue = pacer.acquire(now: now + 2)
        #expect(isDue)
    }

    @Test("a pause that was requested is kept, up to its own bound; an older answer does not cut it short")
    func pauses() {
        var pacer = RequestPacer(.init(maxPause: 10, maxRetryAfter: 100), now: 0)
        pacer.answered(status: 429, retryAfter: 50, now: 0)
        pacer.answered(status: 429, retryAfter: 1, now: 1)
        #expect(pacer.nextAvailable == 50)
        pacer.answered(status: 429, retryAfter: 1e9, now: 2)
        #expect(pacer.nextAvailable == 102)
        pacer.answered(status: 404, retryAfter: 1e9, now: 2)
        #expect(pacer.nextAvailable == 102)
    }

    @Test(
        "Retry-After in seconds and as a date",
        arguments: [
            ("120", nil, 120.0), (" 7 ", nil, 7), ("0", nil, 0), ("", nil, nil), ("-1", nil, nil), ("1.5", nil, nil),
            ("soon", nil, nil), ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 37),
            ("Sun, 06 Nov 1994 08:48:00 GMT", nil, 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", 30),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "yesterday", 37),
        ] as [(String, String?, Double?)])
    func retryAfter(text: String, date: String?, seconds: Double?) {
        // 1994-11-06 08:49:00 UTC.
        #expect(RetryAfter.seconds(text, date: date, wallClock: 784_111_740) == seconds)
    }
}
