import CandlewireServer
import Foundation
import MarketFeeds
import MarketModel
import StreamCore
import Testing
import VenueSimulation
import WebSocketTransport

/// The whole server and a simulated venue: who is not watched is not followed.
@Suite("pauses, over real sockets", .timeLimit(.minutes(15)))
struct LivePauseTests {
    /// A minute of two markets, ten trades a second.
    private static var session: RecordedSession {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let start = 1_618_677_780.0
        let times = (0..<600).map { start + Double($0) / 10 }
        let lines = times.enumerated().map { index, time in
            let product = index % 2 == 0 ? "BTC-USD" : "ETH-USD"
            return
                #"{"type":"match","trade_id":\#(100 + index / 2),"side":"sell","size":"0.5","price":"\#(1000 + index)","#
                + #""product_id":"\#(product)","sequence":\#(index),"#
                + #""time":"\#(formatter.string(from: Date(timeIntervalSince1970: time)))"}"#
        }
        return RecordedSession(lines: lines, times: times.map { Int64($0 * 1e9) })
    }

    private static func wait(_ what: Comment, _ condition: @Sendable () async throws -> Bool) async throws {
        for _ in 0..<2400 {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record(what)
    }

    private static func state(_ server: RunningServer, _ symbol: String) async throws -> String {
        let market = try await TradingClient(server: server).get("/v1/markets/\(symbol)")
        return market.text("feed_state") ?? "live"
    }

    private static func subscribed(_ venue: VenueSimulator) -> Set<String> {
        Set(venue.log.subscriptions.values.joined().filter { $0.channel == "matches" }.map(\.symbol))
    }

    @Test(
        "a market without readers is unsubscribed and reported as paused; a reader, a question or an order resumes it"
    )
    func pauses() async throws {
        let venue = try await VenueSimulator.start(
            .coinbase, session: Self.session, settings: VenueSettings(pace: .recorded(), times: .now, loops: true))
        let feed = FeedSpecification.live(feed: "coinbase", symbols: ["BTC-USD", "ETH-USD"])
        try await RunningServer.with(feed: feed, urls: ["coinbase": venue.url], pausesUnwatchedAfter: 1) { server in
            let trading = TradingClient(server: server)
            let reader = try await server.connect()
            try await reader.send(.subscribe(SubscribeRequest(symbol: "BTC-USD", timeframe: .m1)))
            try await Self.wait("the market without readers is paused") {
                let (bitcoin, ether) = (
                    try await Self.state(server, "BTC-USD"), try await Self.state(server, "ETH-USD")
                )
                return bitcoin == "live" && ether == "paused" && Self.subscribed(venue) == ["BTC-USD"]
            }
            _ = try await server.get("/v1/candles?symbol=ETH-USD&timeframe=1m")
            try await Self.wait("its candles are requested: it is followed") {
                venue.log.received.filter { $0.contains(#""subscribe""#) && $0.contains("ETH-USD") }.count >= 2
            }
            // No client subscribes: venues cut connections without subscriptions, so there is none.
            await reader.socket.close()
            try await Self.wait("everything is paused") {
                let feeds = try await trading.get("/health").list("feeds")
                return feeds.first?["state"] as? String == "paused" && venue.log.open == 0
            }
            #expect(try await Self.state(server, "BTC-USD") == "paused")
            let blind = try await trading.place("blind", ["symbol": "ETH-USD"])
            #expect(blind.status >= 400, "nothing fills at the price before the pause")
            #expect(blind.text("code") == "no_price" || "\(blind.json)".contains("no_price"), "\(blind.json)")
            let order = try await trading.place("far", ["symbol": "ETH-USD", "type": "limit", "limit_price": "1"])
            #expect(order.status == 200 || order.status == 201)
            try await Self.wait("an order is in it: it is followed") {
                let ether = try await Self.state(server, "ETH-USD")
                return ether == "live" && Self.subscribed(venue) == ["ETH-USD"]
            }
            try await Task.sleep(for: .seconds(2))
            #expect(try await Self.state(server, "ETH-USD") == "live", "and as long as the order is open")
            let feeds = try await trading.get("/health").list("feeds")
            #expect(feeds.first?["outages"] as? Int == 0, "what we close is no outage")
            #expect(feeds.first?["malformed"] as? Int == 0)
            #expect(feeds.first?["missing"] as? Int == 0, "nor are the numbers of a pause missing")
        }
        await venue.stop()
    }
}
