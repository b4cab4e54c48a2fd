import CandlewireServer
import Foundation
import MarketFeeds
import TestKit
import Testing

/// The whole server, and a venue that sends candles and tickers beside its trades.
@Suite("a venue's candles and tickers beside its trades, over real sockets", .timeLimit(.minutes(15)))
struct LiveCandlesTests {
    struct Story: Sendable, CustomTestStringConvertible {
        var feed: String
        var symbol: String
        /// What the venue waits for and says; times are those of two minutes ago, of that minute and of now.
        var steps: @Sendable (_ minute: Double, _ now: Double) -> [PeerStep]
        var testDescription: String { feed }
    }

    private static func time(_ seconds: Double) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.string(from: Date(timeIntervalSince1970: seconds))
    }

    private static let stories = [
        Story(feed: "binance", symbol: "BTCUSDT") { minute, now in
            func kline(_ start: Double, _ price: Int, isClosed: Bool) -> PeerStep {
                let (first, last) = (Int(start) * 1000, Int(start) * 1000 + 59_999)
                return .send(
                    #"{"stream":"btcusdt@kline_1m","data":{"e":"kline","E":\#(last),"s":"BTCUSDT","k":{"t":\#(first),"T":\#(last),"#
                        + #""s":"BTCUSDT","i":"1m","f":1,"L":9,"o":"\#(price)","c":"\#(price)","h":"\#(price)","l":"\#(price)","#
                        + #""v":"7.5","n":9,"x":\#(isClosed),"q":"1","V":"1","Q":"1","B":"0"}}}"#)
            }
            let milliseconds = Int(now * 1000)
            return [
                .expectText(containing: #"["btcusdt@trade","btcusdt@kline_1m","btcusdt@ticker"]"#),
                .send(#"{"result":null,"id":1}"#), kline(minute, 50, isClosed: true),
                kline(minute + 60, 99, isClosed: false),
                .send(
                    #"{"stream":"btcusdt@ticker","data":{"e":"24hrTicker","E":\#(milliseconds),"s":"BTCUSDT","p":"-2","P":"-4","#
                        + #""c":"51","Q":"1","b":"50.5","B":"1","a":"51.5","A":"1","o":"53","h":"60","l":"40","v":"900","q":"1"}}"#
                ),
                .send(
                    #"{"stream":"btcusdt@trade","data":{"e":"trade","E":\#(milliseconds),"s":"BTCUSDT","t":10,"p":"51","q":"2","#
                        + #""T":\#(milliseconds),"m":true,"M":true}}"#),
            ]
        },
        Story(feed: "kraken", symbol: "BTC/USD") { minute, now in
            func candle(_ start: Double, _ price: Int) -> String {
                #"{"symbol":"BTC/USD","open":\#(price),"high":\#(price),"low":\#(price),"close":\#(price),"trades":9,"#
                    + #""volume":7.5,"vwap":1,"interval_begin":"\#(time(start))","interval":1,"timestamp":"\#(time(start + 60))"}"#
            }
            func granted(_ channel: String, _ number: Int) -> PeerStep {
                .send(
                    #"{"method":"subscribe","result":{"channel":"\#(channel)","symbol":"BTC/USD"},"success":true,"req_id":\#(number)}"#
                )
            }
            return [
                .expectText(containing: #""channel":"trade""#), granted("trade", 1),
                .expectText(containing: #""channel":"ohlc""#), granted("ohlc", 2),
                .send(
                    #"{"channel":"ohlc","type":"snapshot","data":[\#(candle(minute, 50)),\#(candle(minute + 60, 99))]}"#
                ),
                .expectText(containing: #""channel":"ticker""#), granted("ticker", 3),
                .send(
                    #"{"channel":"ticker","type":"snapshot","data":[{"symbol":"BTC/USD","bid":50.5,"bid_qty":1,"ask":51.5,"#
                        + #""ask_qty":1,"last":51,"volume":900,"vwap":50,"low":40,"high":60,"change":-2,"change_pct":-4,"#
                        + #""timestamp":"\#(time(now))"}]}"#),
                .send(
                    #"{"channel":"trade","type":"update","data":[{"symbol":"BTC/USD","side":"buy","price":51,"qty":2,"#
                        + #""ord_type":"limit","trade_id":10,"timestamp":"\#(time(now))"}]}"#),
            ]
        },
    ]

    @Test(
        "a closed candle from before we came is in its place, a running one makes no price, best prices and day are shown",
        arguments: stories)
    func beside(story: Story) async throws {
        let now = Date().timeIntervalSince1970
        let minute = (now / 60).rounded(.down) * 60 - 120
        let venue = try await ScriptedServer.start([story.steps(minute, now)])
        let feed = FeedSpecification.live(feed: story.feed, symbols: [story.symbol])
        try await RunningServer.with(feed: feed, urls: [story.feed: venue.url]) { server in
            let client = TradingClient(server: server)
            var market: [String: Any] = [:]
            for _ in 0..<1200 {
                market = try await client.get("/v1/markets").list("markets").first ?? [:]
                if market["price"] as? Double == 51, market["bid"] != nil { break }
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(market["bid"] as? Double == 50.5 && market["ask"] as? Double == 51.5)
            #expect(market["open_24h"] as? Double == 53 && market["volume_24h"] as? Double == 900)
            #expect(market["high_24h"] as? Double == 60 && market["low_24h"] as? Double == 40)
            let name = story.symbol.replacingOccurrences(of: "/", with: "%2F")
            var candles: [[String: Any]] = []
            // The closed one waits until what is stored has been read.
            for _ in 0..<1200 where candles.count < 2 {
                let body = try await server.get("/v1/candles?symbol=\(name)&timeframe=1m").body
                candles = try JSONSerialization.jsonObject(with: body) as? [[String: Any]] ?? []
                if candles.count < 2 { try await Task.sleep(for: .milliseconds(50)) }
            }
            #expect(candles.map { $0["volume"] as? Double } == [7.5, 2])
            #expect(candles.map { $0["close"] as? Double } == [50, 51])
            #expect(candles.first?["timestamp"] as? Double == minute)
            let status = try await client.get("/health").list("feeds").first
            #expect(status?["trades"] as? Int == 1 && status?["malformed"] as? Int == 0)
            #expect(status?["candle_differences"] as? Int == 0)
        }
        #expect(venue.failures.isEmpty)
        await venue.stop()
    }
}
