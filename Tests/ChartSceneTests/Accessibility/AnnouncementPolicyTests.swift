import ChartScene
import TestKit
import Testing

@Suite("What is said of live data")
struct AnnouncementPolicyTests {
    @Test("at most one sentence in five seconds, and the latest of what waits")
    func pause() {
        var policy = AnnouncementPolicy()
        policy.price(100)
        policy.barClosed()
        #expect(policy.next(now: 10) == .barClosed)
        policy.barClosed()
        policy.price(101)
        #expect(policy.deadline == 15)
        #expect(policy.next(now: 14.999) == nil)
        #expect(policy.next(now: 15) == .move)
        #expect(policy.next(now: 100) == nil && policy.deadline == .infinity)
    }

    @Test("alerts are said first, what waited behind them later, and several are one sentence")
    func alerts() {
        var policy = AnnouncementPolicy()
        policy.barClosed()
        policy.alertFired()
        policy.alertFired()
        #expect(policy.next(now: 0) == .alert)
        #expect(policy.next(now: 5) == .barClosed)
        #expect(policy.next(now: 10) == nil)
    }

    @Test(
        "a move is significant from half a percent of the price that was reported last",
        arguments: [
            ([100, 100.49], nil),
            ([100, 100.5], AnnouncementPolicy.News.move),
            ([100, 99.5], .move),
            ([100, 101, 100.2], nil),  // It went back before it was reported.
            ([100, .nan, -5, 0, .infinity], nil),
            ([0, 100, 100.4], nil),  // The first price is the first that is one.
        ] as [([Double], AnnouncementPolicy.News?)])
    func moves(prices: [Double], news: AnnouncementPolicy.News?) {
        var policy = AnnouncementPolicy()
        for price in prices { policy.price(price) }
        #expect(policy.next(now: 0) == news)
    }

    @Test("after a sentence, moves are measured from the price that it reported")
    func reference() {
        var policy = AnnouncementPolicy()
        policy.price(100)
        policy.price(101)
        #expect(policy.next(now: 0) == .move)
        policy.price(101.4)
        #expect(policy.next(now: 10) == nil)
        policy.price(101.6)
        #expect(policy.next(now: 10) == .move)
        // A bar's announcement includes the price.
        policy.price(101.9)
        policy.barClosed()
        #expect(policy.next(now: 20) == .barClosed)
        policy.price(102.2)
        #expect(policy.next(now: 30) == nil)
    }

    @Test("off says alerts only, and forgets what waited")
    func off() {
        var policy = AnnouncementPolicy()
        policy.barClosed()
        policy.isOn = false
        policy.price(100)
        policy.price(200)
        policy.barClosed()
        #expect(policy.deadline == .infinity)
        policy.alertFired()
        #expect(policy.next(now: 0) == .alert)
        #expect(policy.next(now: 9) == nil)
    }

    @Test("another market begins anew, and its alerts wait on")
    func begin() {
        var policy = AnnouncementPolicy()
        policy.price(100)
        policy.barClosed()
        policy.alertFired()
        policy.begin()
        policy.price(3)
        #expect(policy.next(now: 0) == .alert)
        #expect(policy.next(now: 9) == nil)
    }

    @Test("a threshold that is none makes no move significant", arguments: [0, -1, .nan, .infinity])
    func threshold(share: Double) {
        var policy = AnnouncementPolicy(threshold: share)
        policy.price(1)
        policy.price(1000)
        #expect(policy.next(now: 0) == nil)
    }

    @Test(
        "whatever happens, two sentences are never nearer than the pause, and no alert is lost",
        arguments: 1...20)
    func property(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var policy = AnnouncementPolicy()
        var now = 0.0
        var said: [Double] = []
        var waitingSince: Double?
        for _ in 0..<3000 {
            now += random.unit() * 2
            switch Int(random.unit() * 4) {
            case 0: policy.barClosed()
            case 1: policy.price(100 + random.unit() * 3)
            case 2 where random.unit() < 0.1:
                policy.alertFired()
                waitingSince = waitingSince ?? now
            default: break
            }
            guard let news = policy.next(now: now) else { continue }
            #expect(said.last.map { now - $0 >= AnnouncementPolicy.pause } ?? true)
            if let since = waitingSince {
                #expect(news == .alert && now - since < AnnouncementPolicy.pause + 2)
                waitingSince = nil
            } else {
                #expect(news != .alert)
            }
            said.append(now)
        }
        #expect(said.count > 100)
    }
}
