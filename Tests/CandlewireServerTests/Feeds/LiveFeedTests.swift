import CandlewireServer
import Foundation
import MarketFeeds
import TestKit
import Testing
import VenueSimulation

/// The whole server, following a venue that is played by a script on a real socket.
@Suite("Live feeds, over real sockets", .timeLimit(.minutes(15)))
struct LiveFeedTests {
    private static func time(_ seconds: Double) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.string(from: Date(timeIntervalSince1970: seconds))
    }

    private static func match(_ id: Int, _ product: String, _ price: String, _ size: String, ago: Double = 0) -> String
    {
        let time = time(Date().timeIntervalSince1970 - ago)
        return #"{"type":"match","trade_id":\#(id),"side":"sell","size":"\#(size)","price":"\#(price)","#
            + #""product_id":"\#(product)","sequence":\#(id * 7),"time":"\#(time)"}"#
    }

    private static func subscriptions(_ products: String...) -> String {
        let list = products.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"type":"subscriptions","channels":[{"name":"matches","product_ids":[\#(list)]}]}"#
    }

    private static func document(_ server: RunningServer, _ path: String) async throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: try await server.get(path).body) as? [String: Any])
    }

    private static func market(_ server: RunningServer, _ symbol: String) async throws -> [String: Any] {
        let markets = try #require(try await document(server, "/v1/markets")["markets"] as? [[String: Any]])
        return try #require(markets.first { $0["symbol"] as? String == symbol })
    }

    private static func feed(_ server: RunningServer, _ name: String) async throws -> [String: Any] {
        let feeds = try #require(try await document(server, "/health")["feeds"] as? [[String: Any]])
        return try #require(feeds.first { $0["name"] as? String == name })
    }

    /// Polls until the condition holds.
    private static func wait(
        _ what: Comment, _ condition: @Sendable () async throws -> Bool
    ) async throws {
        for _ in 0..<1200 {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record(what)
    }

    @Test("a venue's trades, in text and binary frames, become candles and prices")
    func candles() async throws {
        let venue = try await ScriptedServer.start([
            [
                .expectText(containing: #""product_ids":["BTC-USD","ETH-USD"]"#),
                .send(Self.match(1, "BTC-USD", "64000.125", "0.5")),
                .send(Self.subscriptions("BTC-USD", "ETH-USD")),
                .sendBinary(Array(Self.match(2, "BTC-USD", "64001.5", "0.25").utf8)),
                .send("{\"type\":\"match\""), .send(Self.match(2, "BTC-USD", "64001.5", "0.25")),
                .send(Self.match(5, "ETH-USD", "3000", "2")),
            ]
        ])
        let feed = FeedSpecification.live(feed: "coinbase", symbols: ["BTC-USD", "ETH-USD"])
        try await RunningServer.with(feed: feed, urls: ["coinbase": venue.url]) { server in
            try await Self.wait("two markets trade") {
                let (bitcoin, ether) = (
                    try await Self.market(server, "BTC-USD"), try await Self.market(server, "ETH-USD")
                )
                return bitcoin["price"] as? Double == 64001.5 && ether["price"] as? Double == 3000
            }
            let bitcoin = try await Self.market(server, "BTC-USD")
            #expect(bitcoin["precision"] as? Int == 3)
            #expect(bitcoin["feed_state"] == nil, "all is well")
            let candles = try #require(
                try JSONSerialization.jsonObject(
                    with: try await server.get("/v1/candles?symbol=BTC-USD&timeframe=1h").body) as? [[String: Any]])
            #expect(candles.reduce(0) { $0 + ($1["volume"] as? Double ?? 0) } == 0.75)
            let status = try await Self.feed(server, "coinbase")
            #expect(status["state"] as? String == "live")
            #expect(status["trades"] as? Int == 3 && status["duplicates"] as? Int == 1)
            #expect(status["not_json"] as? Int == 1, "one damaged message costs itself")
        }
        #expect(venue.failures.isEmpty)
        await venue.stop()
    }

    @Test("an outage is reported by market, the venue is tried again, and a refused symbol says why")
    func outage() async throws {
        let venue = try await ScriptedServer.start([
            [
                .expectAnything, .send(Self.subscriptions("BTC-USD")), .send(Self.match(1, "BTC-USD", "10", "1")),
                .send(#"{"type":"error","message":"Failed to subscribe","reason":"NO-USD is not a valid product"}"#),
                // Both are requested once more, each by itself.
                .expectText(containing: #"["NO-USD"]"#),
                .send(#"{"type":"error","message":"Failed to subscribe","reason":"NO-USD is not a valid product"}"#),
                .expectText(containing: "never, so that the connection is cut by the test's will"),
            ],
            [
                .expectText(containing: #""product_ids":["BTC-USD"]"#), .send(Self.subscriptions("BTC-USD")),
                .send(Self.match(4, "BTC-USD", "11", "1")),
            ],
        ])
        let proxy = try await ChaosProxy.start(target: .init(port: venue.port))
        let feed = FeedSpecification.live(feed: "coinbase", symbols: ["NO-USD", "BTC-USD"])
        try await RunningServer.with(feed: feed, urls: ["coinbase": "ws://127.0.0.1:\(proxy.port)/"]) { server in
            try await Self.wait("the refusal is reported") {
                let refused = try await Self.market(server, "NO-USD")
                return refused["feed_state"] as? String == "refused"
                    && (refused["feed_reason"] as? String)?.contains("not a valid product") == true
            }
            try await Self.wait("the first trade is there") {
                try await Self.market(server, "BTC-USD")["price"] as? Double == 10
            }
            proxy.settings.refuse = 1
            proxy.cutAll()
            try await Self.wait("the outage is reported") {
                try await Self.market(server, "BTC-USD")["feed_state"] as? String == "interrupted"
            }
            try await Self.wait("the feed says so too") {
                let status = try await Self.feed(server, "coinbase")
                return status["state"] as? String == "reconnecting" && status["problem"] is String
            }
            proxy.settings.refuse = 0
            try await Self.wait("the venue is followed again") {
                let market = try await Self.market(server, "BTC-USD")
                return market["price"] as? Double == 11 && market["feed_state"] == nil
            }
            let status = try await Self.feed(server, "coinbase")
            #expect(status["missing"] as? Int == 2, "numbers go on where they stood")
            #expect(status["outages"] as? Int == 1, "however many attempts its end took")
            #expect(status["reconnects"] as? Int == 1)
            #expect((status["reconnect_attempts"] as? Int).map { $0 >= 1 } == true)
        }
        await proxy.stop()
        await venue.stop()
    }

    @Test("a ticker's best prices and day show, and a trade that it has first counts, once")
    func ticker() async throws {
        let now = Self.time(Date().timeIntervalSince1970)
        func ticker(_ id: Int, _ price: String) -> String {
            #"{"type":"ticker","sequence":\#(id * 7),"product_id":"BTC-USD","price":"\#(price)","open_24h":"8","#
                + #""volume_24h":"123.5","low_24h":"7","high_24h":"12","volume_30d":"1","best_bid":"9.5","#
                + #""best_ask":"10.5","side":"buy","time":"\#(now)","trade_id":\#(id),"last_size":"0.5"}"#
        }
        let venue = try await ScriptedServer.start([
            [
                .expectText(containing: #""channels":["matches","heartbeat","ticker"]"#),
                .send(Self.subscriptions("BTC-USD")), .send(Self.match(1, "BTC-USD", "10", "1")),
                .send(ticker(2, "11")), .send(Self.match(2, "BTC-USD", "11", "0.5")), .send(ticker(4, "11")),
                .send(Self.match(3, "BTC-USD", "11.5", "0.25")), .send(Self.match(4, "BTC-USD", "10.25", "0.125")),
            ]
        ])
        let feed = FeedSpecification.live(feed: "coinbase", symbols: ["BTC-USD"])
        try await RunningServer.with(feed: feed, urls: ["coinbase": venue.url]) { server in
            try await Self.wait("all trades are there") {
                try await Self.market(server, "BTC-USD")["price"] as? Double == 10.25
            }
            let market = try await Self.market(server, "BTC-USD")
            #expect(market["bid"] as? Double == 9.5 && market["ask"] as? Double == 10.5)
            #expect(market["volume_24h"] as? Double == 123.5 && market["change_24h"] as? Double == 2.25)
            let candles =
                try JSONSerialization.jsonObject(
                    with: try await server.get("/v1/candles?symbol=BTC-USD&timeframe=1h").body) as? [[String: Any]]
            #expect(candles?.reduce(0) { $0 + ($1["volume"] as? Double ?? 0) } == 1.875)
            let status = try await Self.feed(server, "coinbase")
            #expect(status["trades"] as? Int == 4 && status["missing"] as? Int == 0)
        }
        await venue.stop()
    }

    @Test("beside trades a venue's closed candle is put in place, and its running one makes no price")
    func candlesBesideTrades() async throws {
        let now = Date().timeIntervalSince1970
        let minute = Int(now / 60) * 60_000
        func kline(_ start: Int, _ price: String, _ volume: String, isClosed: Bool) -> String {
            let parts: [String] = [
                #"{"stream":"btcusdt@kline_1m","data":{"e":"kline","E":\#(start + 60_001),"s":"BTCUSDT","k":{"t":\#(start),"#,
                #""T":\#(start + 59_999),"s":"BTCUSDT","i":"1m","f":1,"L":9,"o":"\#(price)","c":"\#(price)","h":"\#(price)","#,
                #""l":"\#(price)","v":"\#(volume)","n":9,"x":\#(isClosed),"q":"1","V":"1","Q":"1","B":"0"}}}"#,
            ]
            return parts.joined()
        }
        func trade(_ id: Int, _ price: String) -> String {
            let time = minute + id
            return
                #"{"stream":"btcusdt@trade","data":{"e":"trade","E":\#(time),"s":"BTCUSDT","t":\#(id),"p":"\#(price)","#
                + #""q":"0.5","T":\#(time),"m":true,"M":true}}"#
        }
        let venue = try await ScriptedServer.start([
            [
                .expectText(containing: "btcusdt@kline_1m"), .send(#"{"result":null,"id":1}"#),
                .send(kline(minute - 60_000, "10", "7", isClosed: true)),
                .send(kline(minute, "99", "3", isClosed: false)), .send(trade(1, "11")), .send(trade(2, "12")),
            ]
        ])
        let feed = FeedSpecification.live(feed: "binance", symbols: ["BTCUSDT"])
        try await RunningServer.with(feed: feed, urls: ["binance": venue.url]) { server in
            try await Self.wait("it trades, and the closed candle is there") {
                let price = try await Self.market(server, "BTCUSDT")["price"] as? Double
                let count = try await Self.minutes(server, "BTCUSDT").count
                return price == 12 && count == 2
            }
            let minutes = try await Self.minutes(server, "BTCUSDT")
            #expect(
                minutes == [
                    [Double(minute / 1000 - 60), 10, 10, 10, 10, 7], [Double(minute / 1000), 11, 12, 11, 12, 1],
                ])
        }
        await venue.stop()
    }

    /// Start, open, high, low, close and volume.
    private static func minutes(_ server: RunningServer, _ symbol: String) async throws -> [[Double]] {
        let path = "/v1/candles?symbol=\(symbol.replacingOccurrences(of: "/", with: "%2F"))&timeframe=1m&limit=1000"
        let candles = try JSONSerialization.jsonObject(with: try await server.get(path).body) as? [[String: Any]]
        return (candles ?? []).map { candle in
            ["timestamp", "open", "high", "low", "close", "volume"].map { candle[$0] as? Double ?? 0 }
        }
    }

    @Test("the 720 minutes with which Kraken's candles begin are in the chart, and its best prices beside it")
    func candleSnapshot() async throws {
        // Three trades a minute, none in each seventh; the times are of 2021, so that trades are too old and candles are not.
        let start = 1_618_677_780
        let trades = (0..<2700).filter { $0 / 3 % 7 != 6 }
        func price(_ trade: Int) -> Double { 1000 + Double(trade * 7919 % 400) / 8 }
        let lines = trades.map { trade -> String in
            let time = Self.time(Double(start + trade * 20))
            let side = trade % 2 == 0 ? "buy" : "sell"
            return #"{"channel":"trade","type":"update","data":[{"symbol":"BTC/USD","side":"\#(side)","#
                + #""price":\#(price(trade)),"qty":0.5,"ord_type":"limit","trade_id":\#(trade),"timestamp":"\#(time)"}]}"#
        }
        // All of them come at once, and the last message again an hour later: till then the recording is not over.
        let times = lines.indices.map { Int64(start) * 1_000_000_000 + Int64($0) * 1000 }
        let session = RecordedSession(
            lines: lines + lines.suffix(1), times: times + [Int64(start + 3600) * 1_000_000_000])
        let venue = try await VenueSimulator.start(
            .kraken, session: session, settings: VenueSettings(pace: .recorded()))
        let feed = FeedSpecification.live(feed: "kraken", symbols: ["BTC/USD"])
        let whole = Set(trades.map { $0 / 3 }).sorted().map { minute -> [Double] in
            let prices = (0..<3).map { price(minute * 3 + $0) }
            return [Double(start + minute * 60), prices[0], prices.max() ?? 0, prices.min() ?? 0, prices[2], 1.5]
        }
        let newest = [price(2698), price(2699)].sorted()
        try await RunningServer.with(feed: feed, urls: ["kraken": venue.url]) { server in
            try await venue.wait { $0.sent > lines.count }
            await venue.cut()
            try await Self.wait("all closed candles of the snapshot are there") {
                try await Self.minutes(server, "BTC/USD").count >= 719
            }
            // The last one runs.
            #expect(try await Self.minutes(server, "BTC/USD").suffix(719) == whole.suffix(720).dropLast())
            try await Self.wait("its ticker is there") { try await Self.market(server, "BTC/USD")["ask"] is Double }
            let market = try await Self.market(server, "BTC/USD")
            #expect(market["bid"] as? Double == newest[0] && market["ask"] as? Double == newest[1])
            let status = try await Self.feed(server, "kraken")
            #expect(status["venue_candles"] as? Int == 0, "none of them is made of our trades")
        }
        await venue.stop()
    }

    @Test("what was stored is there after a restart, also where nothing is fetched from the venue")
    func stored() async throws {
        let folder = RunningServer.temporaryFolder()
        let feed = FeedSpecification.live(feed: "coinbase", symbols: ["BTC-USD"])
        @Sendable func volumes(_ server: RunningServer) async throws -> [Double] {
            let candles =
                try JSONSerialization.jsonObject(
                    with: try await server.get("/v1/candles?symbol=BTC-USD&timeframe=1s").body) as? [[String: Any]]
            return candles?.compactMap { $0["volume"] as? Double } ?? []
        }
        let first = try await ScriptedServer.start([
            [.expectAnything, .send(Self.subscriptions("BTC-USD"))]
                + (1...4).map { .send(Self.match($0, "BTC-USD", "10", "\($0)", ago: 20 - Double($0) * 2)) }
        ])
        try await RunningServer.with(feed: feed, urls: ["coinbase": first.url], folder: folder) { server in
            try await Self.wait("it trades") { try await volumes(server).count == 4 }
        }
        await first.stop()
        let second = try await ScriptedServer.start([[.expectAnything, .send(Self.subscriptions("BTC-USD"))]])
        try await RunningServer.with(feed: feed, urls: ["coinbase": second.url], folder: folder) { server in
            // The last second was still open.
            try await Self.wait("the past is there") { try await volumes(server) == [1, 2, 3] }
            #expect(try await server.get("/v1/candles?symbol=coinbase:BTC-USD&timeframe=1s").status == 200)
        }
        await second.stop()
    }

    @Test("several venues in one process: names with their feed, bare ones where that is clear")
    func several() async throws {
        let coinbase = try await ScriptedServer.start([
            [
                .expectAnything, .send(Self.subscriptions("BTC-USD", "ETH-USD")),
                .send(Self.match(1, "BTC-USD", "10", "1")),
            ]
        ])
        let now = Self.time(Date().timeIntervalSince1970)
        let kraken = try await ScriptedServer.start([
            [
                .expectText(containing: #""symbol":["BTC/USD","ETH/USD"]"#),
                .send(
                    #"{"method":"subscribe","result":{"channel":"trade","symbol":"BTC/USD"},"success":true,"req_id":1}"#
                ),
                .send(
                    #"{"channel":"trade","type":"update","data":[{"symbol":"BTC/USD","side":"sell","price":11.25,"qty":2,"ord_type":"limit","trade_id":9,"timestamp":"\#(now)"}]}"#
                ),
            ]
        ])
        try await RunningServer.with(
            feed: .live(feed: "coinbase", symbols: ["BTC-USD", "ETH-USD"]),
            more: [.live(feed: "kraken", symbols: ["BTC/USD", "ETH/USD"])],
            urls: ["coinbase": coinbase.url, "kraken": kraken.url]
        ) { server in
            try await Self.wait("both trade") {
                let first = try await Self.market(server, "coinbase:BTC-USD")
                let second = try await Self.market(server, "kraken:BTC/USD")
                return first["price"] as? Double == 10 && second["price"] as? Double == 11.25
            }
            for name in ["kraken:BTC/USD", "BTC/USD", "kraken%3ABTC%2FUSD"] {
                let path = "/v1/candles?symbol=\(name.replacingOccurrences(of: "/", with: "%2F"))&timeframe=1m"
                let candles =
                    try JSONSerialization.jsonObject(with: try await server.get(path).body) as? [[String: Any]]
                #expect(candles?.last?["close"] as? Double == 11.25, "\(name)")
            }
            let unknown = try await server.get("/v1/candles?symbol=BTCUSD&timeframe=1m")
            #expect(unknown.status == 404)
            let document = try await Self.document(server, "/v1/markets")
            #expect(document["feed"] as? String == "coinbase+kraken")
            #expect((document["feeds"] as? [[String: Any]])?.count == 2)
        }
        await coinbase.stop()
        await kraken.stop()
    }

    @Test("configurations that make no sense are refused with a sentence")
    func refused() async throws {
        let coinbase = FeedSpecification.live(feed: "coinbase", symbols: ["BTC-USD"])
        for (more, urls, part) in [
            ([coinbase], [:], "is given twice"), ([.replay(path: "x")], [:], "cannot be played beside"),
            ([], ["kraken": "ws://127.0.0.1:1/"], "which no --feed does"),
        ] as [([FeedSpecification], [String: String], String)] {
            let error = await #expect(throws: FeedError.self) {
                try await RunningServer.with(feed: coinbase, more: more, urls: urls) { _ in }
            }
            #expect(error?.description.contains(part) == true)
        }
    }
}
