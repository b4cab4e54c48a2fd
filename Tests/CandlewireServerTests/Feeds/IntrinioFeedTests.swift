import CandlewireServer
import Foundation
import Logging
import MarketFeeds
import MarketModel
import StreamCore
import Testing
import VenueSimulation

/// The whole server, following a simulated Intrinio.
@Suite("Intrinio, over real sockets", .timeLimit(.minutes(15)))
struct IntrinioFeedTests {
    @Test(
        "token, join, and the last price of the venue is the market's",
        arguments: [SimulatedVenue.intrinio, .intrinioEquities])
    func follows(simulated: SimulatedVenue) async throws {
        let session = try #require(simulated.madeSession(seconds: 10))
        var reader = VenueSession(venue: try Venue(named: simulated.name))
        var last: Double?
        for message in session.messages {
            message.withUnsafeBytes { _ = reader.read($0) }
            for trade in reader.trades where reader.symbols.names[trade.market] == "AAPL" { last = trade.tick.price }
        }
        let price = try #require(last)
        let venue = try await VenueSimulator.start(simulated, session: session, settings: VenueSettings(times: .now))
        try await RunningServer.with(
            feed: .live(feed: simulated.name, symbols: ["AAPL"]), urls: [simulated.name: venue.baseURL],
            credentials: ["intrinio": .password(user: "demo", password: "demo")]
        ) { server in
            for _ in 0..<1200 {
                if try await Self.market(server)["price"] as? Double == price { break }
                try await Task.sleep(for: .milliseconds(50))
            }
            let market = try await Self.market(server)
            #expect(market["price"] as? Double == price)
            #expect(market["feed_state"] == nil, "all is well")
        }
        #expect(venue.log.requests == ["/auth 200"])
        await venue.stop()
    }

    @Test("a feed without its key ends the start with a sentence, and a wrong one shows as the market's reason")
    func keys() async throws {
        let feed = FeedSpecification.live(feed: "intrinio", symbols: ["AAPL"])
        let configuration = ServerConfiguration(port: 0, feed: feed, dataDirectory: RunningServer.temporaryFolder())
        let error = await #expect(throws: FeedError.self) {
            try await CandlewireServer(configuration, logger: Logger(label: "test")).run { _ in }
        }
        #expect(error?.kind == .usage && error?.description.contains("INTRINIO_API_KEY") == true)

        let session = try #require(SimulatedVenue.intrinio.madeSession(seconds: 1))
        let venue = try await VenueSimulator.start(.intrinio, session: session)
        try await RunningServer.with(
            feed: feed, urls: ["intrinio": venue.baseURL], credentials: ["intrinio": .apiKey("s3cr3t")]
        ) { server in
            var reason: String?
            for _ in 0..<1200 where reason == nil {
                reason = try await Self.market(server)["feed_reason"] as? String
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(reason?.contains("the key was not accepted") == true && reason?.contains("s3cr3t") == false)
        }
        #expect(venue.log.connections == 0, "no socket without a token")
        await venue.stop()
    }

    private static func market(_ server: RunningServer) async throws -> [String: Any] {
        let body = try await server.get("/v1/markets").body
        let document = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        let markets = try #require(document["markets"] as? [[String: Any]])
        return try #require(markets.first { $0["symbol"] as? String == "AAPL" })
    }
}
