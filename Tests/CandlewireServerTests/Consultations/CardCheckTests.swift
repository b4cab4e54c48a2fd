import Consultation
import MarketFeeds
import MarketModel
import StreamCore
import Testing

@testable import CandlewireServer

@Suite("A language model's cards are of this server's markets, timeframes and indicators") struct CardCheckTests {
    private static let check = CardCheck(
        registry: MarketRegistry(
            [Market(symbol: "kraken:BTC/USD", precision: 2), Market(symbol: "ETH-USD", precision: 2)],
            names: [
                .init(feed: "kraken", store: "a", bare: "BTC/USD", full: "kraken:BTC/USD"),
                .init(feed: "sim", store: "b", bare: "ETH-USD", full: "sim:ETH-USD"),
            ]))

    private static func layout(_ symbol: String, _ timeframe: String, _ indicators: JSONValue...) -> ToolCall {
        ToolCall(
            name: "create_chart_layout",
            arguments: [
                "name": "L", "symbol": .string(symbol), "timeframe": .string(timeframe),
                "indicators": .array(indicators),
            ])
    }

    @Test(
        "what the page could not apply is refused with what there is",
        arguments: [
            (
                layout("NOPE", "1m"),
                "There is no market \"NOPE\" on this server; there are kraken:BTC/USD, ETH-USD."
            ),
            (
                layout("ETH-USD", "7m"),
                "There is no timeframe \"7m\"; there are 1s 5s 15s 1m 3m 5m 15m 30m 1h 2h 4h 6h 12h 1d 1w 1M."
            ),
            (layout("ETH-USD", "1m", "sma20", "bogus"), "There is no indicator \"bogus\"; there are "),
            (layout("ETH-USD", "1m", "Bollinger Bands"), "There is no indicator \"Bollinger Bands\"; there are "),
            (
                ToolCall(name: "create_watchlist", arguments: ["name": "W", "symbols": ["ETH-USD", "DOGE"]]),
                "There is no market \"DOGE\" on this server"
            ),
            (ToolCall(name: "create_alert", arguments: ["symbol": ""]), "There is no market \"\" on this server"),
        ])
    func refused(call: ToolCall, reason: String) {
        let refusal = #expect(throws: ToolCallRefusal.self) { try Self.check.checked(call) }
        #expect(refusal?.reason.hasPrefix(reason) == true, "\(refusal?.reason ?? "")")
    }

    @Test("what the page can apply passes, and markets get the names that the page has")
    func accepted() throws {
        let call = Self.layout("BTC/USD", "1M", "sma20", "EMA 50", "bollinger(20, 2)", "macd", "rsi_14")
        #expect(try Self.check.checked(call).arguments["symbol"] == "kraken:BTC/USD")
        let list = ToolCall(name: "create_watchlist", arguments: ["symbols": ["sim:ETH-USD", "kraken:BTC/USD"]])
        #expect(try Self.check.checked(list).arguments["symbols"] == ["ETH-USD", "kraken:BTC/USD"])
        let meal = ToolCall(name: "create_meal", arguments: ["name": "M", "meals": [["symbol": "none of ours"]]])
        #expect(try Self.check.checked(meal) == meal)
    }
}
