import Testing

@testable import CandlewireServer

@Suite("Stale markets")
struct StaleWatchTests {
    /// Checks once a second; returns when and with which age it was reported.
    private func reported(seconds: Int, ticks: (Int) -> Int, isWatched: (Int) -> Bool = { _ in true }) -> [[Double]] {
        var watch = StaleWatch(markets: 2)
        var reported: [[Double]] = []
        for second in 0..<seconds {
            _ = watch.review(0, ticks: second, isWatched: true, now: Double(second))
            if let age = watch.review(1, ticks: ticks(second), isWatched: isWatched(second), now: Double(second)) {
                reported.append([Double(second), age])
            }
        }
        return reported
    }

    @Test("a market without ticks is reported after fifteen seconds, and again each fifteen")
    func silence() {
        #expect(reported(seconds: 50) { _ in 7 } == [[15, 15], [30, 30], [45, 45]])
    }

    @Test("a tick begins the count anew")
    func tick() {
        #expect(reported(seconds: 40) { $0 < 10 ? 1 : 2 } == [[25, 15]])
    }

    @Test("a market that trades is never reported")
    func trading() {
        #expect(reported(seconds: 100) { $0 / 14 }.isEmpty)
    }

    @Test("time without readers, or after the end of a recording, does not count")
    func unwatched() {
        #expect(reported(seconds: 50, ticks: { _ in 7 }, isWatched: { $0 > 20 }) == [[35, 15]])
    }
}
