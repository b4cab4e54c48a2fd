import Testing

@testable import CandlewireServer

@Suite("markets that have no watchers are paused")
struct PauseWatchTests {
    @Test("after the time without a watcher, once; and resumed by the first one")
    func pauses() {
        var watch = PauseWatch(markets: 2, limit: 30, now: 100)
        #expect(watch.review(0, isWatched: false, now: 129.9) == nil)
        #expect(watch.review(1, isWatched: true, now: 129.9) == nil)
        #expect(watch.review(0, isWatched: false, now: 130) == .pause)
        #expect(watch.review(0, isWatched: false, now: 131) == nil && watch.isPaused(0) && !watch.isPaused(1))
        #expect(watch.review(1, isWatched: false, now: 159.8) == nil)
        #expect(watch.review(1, isWatched: false, now: 159.9) == .pause)
        #expect(watch.review(0, isWatched: true, now: 200) == .resume)
        #expect(watch.review(0, isWatched: true, now: 201) == nil)
        #expect(watch.review(0, isWatched: false, now: 230.9) == nil, "the time counts from the last watcher")
        #expect(watch.review(0, isWatched: false, now: 231) == .pause)
    }

    @Test("a single request also resumes a market, and delays its next pause")
    func demands() {
        var watch = PauseWatch(markets: 1, limit: 10, now: 0)
        #expect(watch.demand(0, now: 8) == nil)
        #expect(watch.review(0, isWatched: false, now: 17) == nil)
        #expect(watch.review(0, isWatched: false, now: 18) == .pause)
        #expect(watch.demand(0, now: 20) == .resume)
        #expect(watch.demand(0, now: 19) == nil, "no earlier than what is known")
        #expect(watch.review(0, isWatched: false, now: 29) == nil)
        #expect(watch.review(0, isWatched: false, now: 30) == .pause)
    }
}
