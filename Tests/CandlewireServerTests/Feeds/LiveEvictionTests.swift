import CandlewireServer
import Consultation
import Foundation
import HistoryStore
import MarketFeeds
import MarketModel
import StreamCore
import TestKit
import Testing
import WebSocketTransport

/// The whole server, a scripted venue, and a market that is quiet for longer than its past stays in memory.
@Suite("idle markets, over real sockets", .timeLimit(.minutes(15)))
struct LiveEvictionTests {
    static func match(_ id: Int, _ price: String, _ size: String, ago: Double = 0) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let time = formatter.string(from: Date(timeIntervalSince1970: Date().timeIntervalSince1970 - ago))
        return #"{"type":"match","trade_id":\#(id),"side":"sell","size":"\#(size)","price":"\#(price)","#
            + #""product_id":"BTC-USD","sequence":\#(id),"time":"\#(time)"}"#
    }

    static let granted = #"{"type":"subscriptions","channels":[{"name":"matches","product_ids":["BTC-USD"]}]}"#

    private static func feed(_ server: RunningServer) async throws -> [String: Any] {
        try #require(try await TradingClient(server: server).get("/health").list("feeds").first)
    }

    private static func wait(_ what: Comment, _ condition: @Sendable () async throws -> Bool) async throws {
        for _ in 0..<2400 {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record(what)
    }

    private static func waitUntilIdle(_ server: RunningServer) async throws {
        try await wait("its past leaves the memory") { try await feed(server)["idle_markets"] as? Int == 1 }
    }

    private static func candles(_ server: RunningServer, _ timeframe: String) async throws -> [[String: Double]] {
        let body = try await server.get("/v1/candles?symbol=BTC-USD&timeframe=\(timeframe)").body
        return try #require(try JSONSerialization.jsonObject(with: body) as? [[String: Double]])
    }

    private static func volume(_ candles: [[String: Double]]) -> Double {
        candles.reduce(0) { $0 + ($1["volume"] ?? 0) }
    }

    @Test("the assistant's indicators are those of the stored past, of every market and of the one on screen")
    func assistant() async throws {
        let venue = try await ScriptedServer.start([[.expectAnything, .send(Self.granted)]])
        let folder = RunningServer.temporaryFolder()
        let store = try CandleStore(directory: DataDirectory.live(folder))
        let start = Timeframe.h1.bucketStart(of: Date().timeIntervalSince1970) - 40 * 3600
        for number in 0..<40 {
            for (timeframe, length) in [(Timeframe.m1, 60.0), (.h1, 3600)] {
                let candle = Candle(
                    timestamp: start + Double(number) * length, open: 10, high: 12, low: 9,
                    close: 10 + Double(number % 7), volume: 1)
                store.enqueue(StoredCandle(symbol: "coinbase:BTC-USD", timeframe: timeframe, candle: candle))
            }
        }
        try await store.close()
        let feed = FeedSpecification.live(feed: "coinbase", symbols: ["BTC-USD"])
        try await RunningServer.with(
            feed: feed, urls: ["coinbase": venue.url], folder: folder, evictsIdleAfter: 1
        ) { server in
            try await Self.waitUntilIdle(server)
            let talk = try await Talk.open(
                server, try await ConsultationServerTests.begin(TradingClient(server: server)))
            try await talk.sendMessage("indicators of BTC-USD", id: "m1")
            let first = try await talk.next(.aiMessageComplete).messageID
            #expect(talk.texts[first]?.contains("RSI 14 (1m)") == true, "\(talk.texts)")
            try await Self.waitUntilIdle(server)
            try await talk.send(
                Envelope(
                    .userMessage, content: "indicators", messageID: "m2", timestamp: 1_700_000_000,
                    metadata: ["context": ["symbol": "BTC-USD", "timeframe": "1h"]]))
            let second = try await talk.next(.aiMessageComplete).messageID
            #expect(talk.texts[second]?.contains("RSI 14 (1h)") == true, "\(talk.texts)")
            await talk.socket.close()
        }
        await venue.stop()
    }

    @Test("the next trade continues the open bar, and readers get the whole past, from the store")
    func idle() async throws {
        let venue = try await ScriptedServer.start([
            [
                .expectAnything, .send(Self.granted), .send(Self.match(1, "10", "0.5", ago: 150)),
                .send(Self.match(2, "12", "0.25", ago: 80)), .send(Self.match(3, "11", "0.25")),
            ],
            [.expectAnything, .send(Self.granted), .send(Self.match(4, "13", "1"))],
        ])
        let proxy = try await ChaosProxy.start(target: .init(port: venue.port))
        let feed = FeedSpecification.live(feed: "coinbase", symbols: ["BTC-USD"])
        let url = "ws://127.0.0.1:\(proxy.port)/"
        try await RunningServer.with(feed: feed, urls: ["coinbase": url], evictsIdleAfter: 1) { server in
            try await Self.wait("the trades come") { try await Self.feed(server)["trades"] as? Int == 3 }
            try await Self.waitUntilIdle(server)
            #expect(
                Self.volume(try await Self.candles(server, "1m")) == 1, "who requests candles gets them of the store")
            #expect(try await Self.candles(server, "1m").count == 3)
            let market = try await TradingClient(server: server).get("/v1/markets/BTC-USD")
            #expect(market["price"] as? Double == 11)

            try await Self.waitUntilIdle(server)
            proxy.cutAll()
            try await Self.wait("the next trade is taken, and brings the past back") {
                let feed = try await Self.feed(server)
                return feed["trades"] as? Int == 4 && feed["restorations"] as? Int ?? 0 >= 1
            }
            let hours = try await Self.candles(server, "1h")
            #expect(Self.volume(hours) == 2)
            #expect(hours.first?["open"] == 10 && hours.last?["close"] == 13)
            #expect(hours.compactMap { $0["high"] }.max() == 13 && hours.compactMap { $0["low"] }.min() == 10)

            try await Self.waitUntilIdle(server)
            let reader = try await server.connect()
            try await reader.send(.subscribe(SubscribeRequest(symbol: "BTC-USD", timeframe: .m1, history: 100)))
            guard case .subscribed = try await reader.next(),
                case .snapshot(_, _, let candles, _) = try await reader.next()
            else { return #expect(Bool(false), "the answer and its snapshot") }
            #expect(candles.reduce(0) { $0 + $1.volume } == 2 && candles.count >= 3)
            let evictions = try await Self.feed(server)["evictions"] as? Int
            // Three reviews, by which it would have left twice.
            try await Task.sleep(for: .seconds(3.2))
            let feed = try await Self.feed(server)
            let restorations = feed["restorations"] as? Int ?? 0
            #expect(feed["idle_markets"] as? Int == 0 && feed["evictions"] as? Int == evictions, "it is read")
            await reader.socket.close()

            // What waits for the past ends in the order in which it began, and with its connection.
            try await Self.waitUntilIdle(server)
            let hasty = try await server.connect()
            try await hasty.send(.subscribe(SubscribeRequest(symbol: "BTC-USD", timeframe: .m1)))
            try await hasty.send(.unsubscribe(symbol: "BTC-USD", timeframe: .m1, id: nil))
            try await Self.wait("the past comes back") {
                try await Self.feed(server)["restorations"] as? Int ?? 0 > restorations
            }
            try await Self.waitUntilIdle(server)
            let gone = try await server.connect()
            try await gone.send(.subscribe(SubscribeRequest(symbol: "BTC-USD", timeframe: .m1)))
            await gone.socket.close()
            try await Self.waitUntilIdle(server)
            await hasty.socket.close()
        }
        #expect(venue.failures.isEmpty)
        await proxy.stop()
        await venue.stop()
    }
}
