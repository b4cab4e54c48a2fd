import StreamCore
import Testing

@testable import MarketFeeds

@Suite("markets without a viewer for a while")
struct FeedPauseTests {
    private static func script() -> FeedScript {
        var script = FeedScript(CoinbaseAdapter(), ["SKL-USD", "BTC-USD"])
        _ = script.connect() + script.open()
        _ = script.receive(
            #"{"type":"subscriptions","channels":[{"name":"matches","product_ids":["SKL-USD","BTC-USD"]}]}"#)
        _ = script.receive(CoinbaseTests.match(7))
        script.session.setWanted(0, false, now: 1)
        _ = script.actions()
        script.session.setWanted(0, true, now: 500)
        script.now = 500
        _ = script.actions()
        return script
    }

    @Test("the numbers of the pause are not missing, and those that are lost after it are")
    func numbers() {
        for first in [CoinbaseTests.match(900), CoinbaseTests.match(900, type: "last_match")] {
            var script = Self.script()
            #expect(script.receive(first) == [])
            #expect(script.receive(CoinbaseTests.match(901)) == [])
            #expect(script.session.venueSession.counts.missing == 0)
            #expect(script.receive(CoinbaseTests.match(904)) == ["missed SKL-USD 2"])
        }
    }

    @Test("a number that a heartbeat reports first is no loss either")
    func heartbeat() {
        var script = Self.script()
        let heartbeat =
            #"{"type":"heartbeat","sequence":90,"last_trade_id":900,"product_id":"SKL-USD","time":"2014-11-07T08:19:28.464459Z"}"#
        #expect(script.receive(heartbeat) == [])
        #expect(script.receive(CoinbaseTests.match(901)) == [])
        #expect(script.session.venueSession.counts.missing == 0)
    }

    @Test("what was reported before the pause is a repetition after it")
    func repeated() {
        var script = Self.script()
        _ = script.receive(CoinbaseTests.match(7))
        #expect(script.trades.count == 1 && script.session.venueSession.counts.duplicates == 1)
        _ = script.receive(CoinbaseTests.match(8))
        #expect(
            script.receive(CoinbaseTests.match(11)) == ["missed SKL-USD 2"], "8 was the next one: no jump is forgiven")
    }
}
