import StreamCore
import Testing

@testable import MarketFeeds

/// What a feed's connection reports of its reconnects.
@Suite("Reconnects of a feed")
struct ReconnectCountsTests {
    private static func script(_ maximumAge: Double? = nil) -> FeedScript {
        FeedScript(KrakenArrayAdapter(), ["XBT/USD"], maximumAge: maximumAge)
    }

    private static func reported(_ script: FeedScript) -> [Int] {
        [script.session.reconnects.attempts, script.session.reconnects.returns]
    }

    /// Until the next attempt, and no longer: that one would fail for want of an answer.
    private static func again(_ script: inout FeedScript) {
        guard case .waiting(let until) = script.session.state else {
            Issue.record("no attempt is waited for: \(script.session.state)")
            return
        }
        _ = script.wait(until - script.now + 0.001)
    }

    @Test("attempts are counted one by one, a return once")
    func counted() {
        var script = Self.script()
        _ = script.connect()
        #expect(Self.reported(script) == [0, 0], "the first is no reconnect")
        _ = script.open()
        _ = script.close()
        #expect(Self.reported(script) == [0, 0], "nothing was tried yet")
        for attempt in 2...4 {
            Self.again(&script)
            #expect(Self.reported(script) == [attempt - 1, 0])
            if attempt < 4 { _ = script.close(.abnormal, attempt) }
        }
        _ = script.open(4)
        #expect(Self.reported(script) == [3, 1])
        _ = script.close(.abnormal, 4)
        Self.again(&script)
        _ = script.open(5)
        #expect(Self.reported(script) == [4, 2])
    }

    @Test("a feed that was never open has attempts and no returns, also when it opens at last")
    func neverOpen() {
        var script = Self.script()
        _ = script.connect()
        _ = script.close()
        Self.again(&script)
        _ = script.open(2)
        #expect(Self.reported(script) == [1, 0])
    }

    @Test("what we close ourselves is not lost, and connecting then is no reconnect")
    func ours() {
        var script = Self.script()
        _ = script.connect()
        _ = script.open()
        _ = script.close()
        script.session.disconnect(now: script.now)
        _ = script.actions()
        _ = script.connect()
        _ = script.open(2)
        #expect(Self.reported(script) == [0, 0] && script.session.state == .open)
    }

    @Test("the replacement of an old connection is no reconnect; where the old one is lost meanwhile, it is")
    func replaced() {
        for isLost in [false, true] {
            var script = Self.script(100)
            _ = script.connect()
            _ = script.open()
            var opened = false
            for _ in 0..<60 where !opened {
                opened = script.wait(2).contains("open 2")
                _ = script.receive(#"{"event":"heartbeat"}"#)
            }
            #expect(opened)
            if isLost { _ = script.close() }
            _ = script.open(2)
            #expect(script.session.state == .open)
            #expect(Self.reported(script) == (isLost ? [1, 1] : [0, 0]))
        }
    }

    @Test("several connections are added up")
    func sum() {
        var (one, all) = (ReconnectCounts(), ReconnectCounts())
        for state in [SessionState.connecting, .open, .waiting(until: 1), .connecting, .open] { one.changed(to: state) }
        all.add(one)
        all.add(one)
        #expect(all.attempts == 2 && all.returns == 2)
    }
}
