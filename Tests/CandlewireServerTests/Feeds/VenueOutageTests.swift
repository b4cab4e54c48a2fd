import CandlewireServer
import Foundation
import MarketFeeds
import Testing
import VenueSimulation

/// The whole server and a simulated venue whose stream breaks: what was not received is fetched from the venue's REST
/// interface.
@Suite("minutes that a broken stream missed come over the venue's REST interface", .timeLimit(.minutes(15)))
struct VenueOutageTests {
    struct Story: Sendable, CustomTestStringConvertible {
        var venue: SimulatedVenue
        var feed: String
        var symbol: String
        var history = true
        var testDescription: String { feed + (history ? "" : ", without history") }
    }

    private static let stories = [
        Story(venue: .coinbase, feed: "coinbase", symbol: "BTC-USD"),
        Story(venue: .binance, feed: "binance", symbol: "BTCUSDT"),
        Story(venue: .kraken, feed: "kraken", symbol: "BTC/USD"),
        // What the others prove: that there is something to be fetched.
        Story(venue: .coinbase, feed: "coinbase", symbol: "BTC-USD", history: false),
    ]

    private static let tradeCount = 1150
    private static func price(_ trade: Int) -> Double { 1000 + Double(trade * 7919 % 400) / 8 }
    private static func size(_ trade: Int) -> Double { Double(1 + trade % 5) / 8 }
    /// Five a second; a full minute, 2021-04-17 16:43 UTC, is the first.
    private static func time(_ trade: Int) -> Double { 1_618_677_780 + Double(trade) / 5 }

    private static func session(_ story: Story) -> RecordedSession {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let lines = (0..<tradeCount).map { trade in
            let (price, size, id) = (price(trade), size(trade), 100 + trade)
            let milliseconds = Int((time(trade) * 1000).rounded())
            let time = formatter.string(from: Date(timeIntervalSince1970: time(trade)))
            return switch story.feed {
            case "coinbase":
                #"{"type":"match","trade_id":\#(id),"maker_order_id":"a","taker_order_id":"b","side":"sell","#
                    + #""size":"\#(size)","price":"\#(price)","product_id":"BTC-USD","sequence":\#(id * 3),"time":"\#(time)"}"#
            case "binance":
                #"{"stream":"btcusdt@trade","data":{"e":"trade","E":\#(milliseconds),"s":"BTCUSDT","t":\#(id),"#
                    + #""p":"\#(price)","q":"\#(size)","T":\#(milliseconds),"m":true,"M":true}}"#
            default:
                #"{"channel":"trade","type":"update","data":[{"symbol":"BTC/USD","side":"buy","price":\#(price),"#
                    + #""qty":\#(size),"ord_type":"limit","trade_id":\#(id),"timestamp":"\#(time)"}]}"#
            }
        }
        return RecordedSession(lines: lines, times: (0..<tradeCount).map { Int64(time($0) * 1e9) })
    }

    /// Open, high, low, close and volume of the recording's whole minutes.
    private static var wholeMinutes: [[Double]] {
        (0..<tradeCount / 300).map { minute in
            let trades = minute * 300..<(minute + 1) * 300
            let prices = trades.map(price)
            return [
                prices[0], prices.max() ?? 0, prices.min() ?? 0, prices[299], trades.map(size).reduce(0, +),
            ]
        }
    }

    /// The server's first minutes, as many as the recording has whole ones.
    private static func minutes(_ server: RunningServer, _ story: Story) async throws -> [[Double]] {
        let name = story.symbol.replacingOccurrences(of: "/", with: "%2F")
        let body = try await server.get("/v1/candles?symbol=\(name)&timeframe=1m").body
        let candles = try JSONSerialization.jsonObject(with: body) as? [[String: Any]] ?? []
        return candles.prefix(wholeMinutes.count).map { candle in
            ["open", "high", "low", "close", "volume"].map { candle[$0] as? Double ?? 0 }
        }
    }

    /// Joined so far, as long as nothing was cut.
    private static func joinedBefore(_ server: RunningServer, _ known: Int) async throws -> Int {
        let status = try await status(server)
        return status["outages"] as? Int == 0 ? status["joined_bars"] as? Int ?? known : known
    }

    private static func status(_ server: RunningServer) async throws -> [String: Any] {
        let health = try JSONSerialization.jsonObject(with: try await server.get("/health").body) as? [String: Any]
        return try #require((health?["feeds"] as? [[String: Any]])?.first)
    }

    @Test("a stream that is cut and comes back later leaves no bar with a hole")
    func outages() async throws {
        // Side by side: each has its server, and what takes time is the recording.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for story in Self.stories { group.addTask { try await Self.outage(story) } }
            try await group.waitForAll()
        }
    }

    private static func outage(_ story: Story) async throws {
        // 230 seconds in 23; the first connection is cut in the second minute, the next one is refused. It is back long
        // before the end: that trades are missing is seen by the numbers of those that come then.
        let venue = try await VenueSimulator.start(
            story.venue, session: session(story),
            settings: VenueSettings(
                pace: .recorded(10), times: .now, faults: [VenueFaults(cutAfter: 400), VenueFaults(refuse: 503)]))
        let feed = FeedSpecification.live(feed: story.feed, symbols: [story.symbol])
        try await RunningServer.with(feed: feed, urls: [story.feed: venue.url], history: story.history) { server in
            var found: [[Double]] = []
            var joined = 0
            let deadline = ContinuousClock.now + .seconds(180)
            while ContinuousClock.now < deadline {
                joined = try await joinedBefore(server, joined)
                let missing = try await status(server)["missing"] as? Int ?? 0
                // Read after that: later trades than those that were lost have come.
                found = try await minutes(server, story)
                if missing > 0, story.history ? found == wholeMinutes : found.count == wholeMinutes.count {
                    break
                }
                try await Task.sleep(for: .milliseconds(100))
            }
            let status = try await status(server)
            #expect(status["outages"] as? Int == 1, "\(story)")
            if story.history {
                #expect(found == wholeMinutes, "\(story)")
                // Kraken's own stream may send its candles before they are fetched.
                if story.venue != .kraken {
                    #expect(try #require(status["joined_bars"] as? Int) > joined, "\(story): more than at the start")
                }
                #expect(venue.log.requests.contains { $0.hasSuffix(" 200") }, "\(story)")
            } else {
                #expect(found.first == wholeMinutes.first, "\(story): what was received is there")
                #expect(found != wholeMinutes, "\(story): trades were lost")
                #expect((status["missing"] as? Int ?? 0) > 0, "\(story)")
                #expect(venue.log.requests.isEmpty, "\(story)")
            }
        }
        await venue.stop()
    }
}
