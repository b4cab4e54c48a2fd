import StreamCore
import Testing

@testable import MarketFeeds

@Suite("Channels beside the trades")
struct FeedExtrasTests {
    private static func granted(_ channel: String, _ symbol: String, _ number: Int) -> String {
        #"{"method":"subscribe","result":{"channel":"\#(channel)","symbol":"\#(symbol)"},"success":true,"req_id":\#(number)}"#
    }

    /// A script whose symbols trade, and what was sent when they did.
    private static func live(_ symbols: [String]) -> (FeedScript, [String]) {
        var script = FeedScript(KrakenAdapter(), symbols)
        _ = script.connect() + script.open()
        var lines: [String] = []
        for symbol in symbols { lines += script.receive(granted("trade", symbol, 1)) }
        return (script, lines)
    }

    private static func send(_ method: String, _ channel: String, _ symbols: String, _ number: Int) -> String {
        let more = ["ohlc": #","interval":1"#, "ticker": #","event_trigger":"bbo""#][channel] ?? ""
        return #"send 1 {"method":"\#(method)","params":{"channel":"\#(channel)","symbol":[\#(symbols)]\#(more)},"#
            + #""req_id":\#(number)}"#
    }

    @Test("candles and tickers are requested when all trades are granted, once")
    func requested() {
        var (script, lines) = Self.live(["BTC/USD", "ETH/USD"])
        let both = #""BTC/USD","ETH/USD""#
        #expect(
            lines == [
                "live BTC/USD", "live ETH/USD", Self.send("subscribe", "ohlc", both, 2),
                Self.send("subscribe", "ticker", both, 3),
            ])
        #expect(script.receive(Self.granted("ohlc", "BTC/USD", 2)) == [], "no symbol is live because of it")
        #expect(script.receive(Self.granted("ticker", "BTC/USD", 3)) == [])
        #expect(script.wait(3) == [])
    }

    @Test("a channel that is refused costs only itself")
    func refused() {
        var (script, _) = Self.live(["BTC/USD"])
        let refusal =
            #"{"error":"Channel ohlc not supported","method":"subscribe","success":false,"symbol":"BTC/USD","req_id":2}"#
        #expect(script.receive(refusal) == ["problem refused"])
        #expect(script.session.isWanted(0) && script.wait(3) == [])
        let lost = script.close()
        #expect(lost.contains("interrupted BTC/USD"), "it was live until then")
        _ = script.wait(2) + script.open(2)
        #expect(script.receive(Self.granted("trade", "BTC/USD", 1), on: 2).count == 3, "and requested again then")
    }

    @Test("an unwanted symbol ends with its other channels, and all are requested again later")
    func unwanted() {
        var (script, _) = Self.live(["BTC/USD", "ETH/USD"])
        script.now = 20
        script.session.setWanted(0, false, now: 20)
        let one = #""BTC/USD""#
        #expect(
            script.actions() == [
                Self.send("unsubscribe", "trade", one, 4), "interrupted BTC/USD",
                Self.send("unsubscribe", "ticker", one, 5), Self.send("unsubscribe", "ohlc", one, 6),
            ])
        script.now = 40
        script.session.setWanted(0, true, now: 40)
        #expect(script.actions().count == 1)
        #expect(
            script.receive(Self.granted("trade", "BTC/USD", 7)) == [
                "live BTC/USD", Self.send("subscribe", "ohlc", #""BTC/USD""#, 8),
                Self.send("subscribe", "ticker", #""BTC/USD""#, 9),
            ])
    }

    @Test("trades that only a ticker has so far are reported, and those it leaves out are not missing")
    func tickers() {
        var script = FeedScript(CoinbaseAdapter(), ["SKL-USD"])
        _ = script.connect() + script.open()
        _ = script.receive(CoinbaseTests.match(7, type: "last_match"))
        #expect(script.receive(CoinbaseTests.ticker(8)) == [] && script.receive(CoinbaseTests.ticker(10)) == [])
        _ = script.receive(CoinbaseTests.match(8))
        #expect(script.trades.count == 1)
        #expect(script.receive(CoinbaseTests.match(10)) == ["missed SKL-USD 1"])
        #expect(script.trades.count == 2)
    }
}
