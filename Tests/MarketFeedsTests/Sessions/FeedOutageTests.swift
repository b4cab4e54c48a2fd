import StreamCore
import Testing

@testable import MarketFeeds

/// How a feed's connection ends, and what follows: it is reported, and requested again at the right time, once.
@Suite("Ends of a feed's connection")
struct FeedOutageTests {
    private static func script(seed: UInt64 = 1) -> FeedScript {
        var script = FeedScript(KrakenArrayAdapter(), ["XBT/USD"])
        script.session = FeedSession(KrakenArrayAdapter(), symbols: ["XBT/USD"], seed: seed)
        return script
    }

    /// Seconds until the next attempt.
    private static func pause(_ script: FeedScript) -> Double? {
        guard case .waiting(let until) = script.session.state else { return nil }
        return until - script.now
    }

    @Test("a client that disconnects before or during a reconnect gets no further connection")
    func disconnectWhileWaiting() {
        var waiting = Self.script()
        _ = waiting.connect()
        _ = waiting.open()
        #expect(waiting.close().last == "waiting")
        waiting.session.disconnect(now: waiting.now)
        #expect(waiting.actions() == ["closed"])
        #expect(waiting.session.deadline == nil && waiting.wait(100_000) == [])

        var connecting = Self.script()
        _ = connecting.connect()
        _ = connecting.close()
        _ = connecting.wait(2.001)
        #expect(connecting.session.state == .connecting)
        connecting.session.disconnect(now: connecting.now)
        #expect(connecting.actions().last == "closed")
        #expect(!connecting.open(2).contains { $0.hasPrefix("send") }, "it opens too late")
        #expect(connecting.session.state == .closed && connecting.wait(100_000) == [])
    }

    @Test("pauses have full jitter: feeds that lost their venue together do not come back together")
    func jitter() {
        let pauses = (1...20).compactMap { seed in
            var script = Self.script(seed: UInt64(seed))
            _ = script.connect()
            _ = script.close()
            return Self.pause(script)
        }
        #expect(Set(pauses).count == 20 && pauses.allSatisfy { (0...2).contains($0) })
        #expect((pauses.min() ?? 2) < 0.7 && (pauses.max() ?? 0) > 1.3)
    }

    @Test("a connection that drops at once counts as an attempt; one that lasted begins anew")
    func dropLoop() {
        var script = Self.script()
        _ = script.connect()
        var pauses: [Double] = []
        for attempt in 1...12 {
            _ = script.open(attempt)
            #expect(script.close(.abnormal, attempt).last == "waiting", "reported as such, each time")
            pauses.append(Self.pause(script) ?? -1)
            _ = script.wait((pauses.last ?? 0) + 0.001)
        }
        #expect(pauses.suffix(2) == [60, 60], "used up, and still trying")
        _ = script.open(13)
        for _ in 0..<4 {
            _ = script.wait(4)
            _ = script.receive(#"{"event":"heartbeat"}"#, on: 13)
        }
        _ = script.close(.abnormal, 13)
        #expect((0...2).contains(Self.pause(script) ?? -1))
    }

    @Test(
        "however a connection ends, that is reported, its heartbeat stops, and there is another attempt",
        arguments: [
            1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015, 3000, 4000, 4100,
        ], ["kraken-v1", "bybit"])
    func everyEnd(code: UInt16, feed: String) throws {
        let adapter = try #require(FeedCatalogue.adapter(named: feed))
        var script = FeedScript(adapter, [adapter.exampleSymbol])
        _ = script.connect()
        _ = script.open()
        let reported = script.close(WebSocketCloseCode(rawValue: code)).last
        #expect(reported == "waiting" || reported == "failed")
        let later = script.wait(61)
        #expect(later.first == "open 2", "\(later)")
        #expect(!later.contains { $0.hasPrefix("send") || $0.hasPrefix("ping") })
    }
}
