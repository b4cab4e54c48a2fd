import CandlewireServer
import Foundation
import MarketFeeds
import Testing
import VenueSimulation

/// The whole server, following providers that a configuration describes.
@Suite("Feeds of configured providers, over real sockets", .timeLimit(.minutes(15)))
struct ProviderFeedTests {
    private static func configuration(_ text: String) throws -> ProviderConfiguration {
        try ProviderConfigurationReader(name: "test").read(Array(text.utf8))
    }

    private static func documents(_ server: RunningServer, _ path: String, _ list: String) async throws -> [[String:
        Any]]
    {
        let document = try JSONSerialization.jsonObject(with: try await server.get(path).body) as? [String: Any]
        return try #require(document?[list] as? [[String: Any]])
    }

    private static func market(_ server: RunningServer, _ symbol: String) async throws -> [String: Any] {
        try #require(try await documents(server, "/v1/markets", "markets").first { $0["symbol"] as? String == symbol })
    }

    private static func feed(_ server: RunningServer) async throws -> [String: Any] {
        try #require(try await documents(server, "/health", "feeds").first)
    }

    private static func candles(_ server: RunningServer, _ timeframe: String) async throws -> [[String: Any]] {
        let body = try await server.get("/v1/candles?symbol=BTC-USD&timeframe=\(timeframe)").body
        return try #require(try JSONSerialization.jsonObject(with: body) as? [[String: Any]])
    }

    private static func wait(_ what: Comment, _ condition: @Sendable () async throws -> Bool) async throws {
        for _ in 0..<1200 {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record(what)
    }

    @Test("a simulated provider is followed live, and its past joined, as its configuration says")
    func simulated() async throws {
        let configuration = try Self.configuration(#"{"url":"wss://a","name":"acme"}"#)
        let provider = try SimulatedProvider(outline: configuration.outline)
        let venue = try await VenueSimulator.start(
            .provider(provider), session: .made(provider, symbols: ["BTC-USD"]),
            settings: VenueSettings(pace: .recorded(), times: .now, loops: true))
        let feed = FeedSpecification.provider(configuration, symbols: ["BTC-USD", "NONE"])
        // A symbol without a currency must not keep accounts from being opened.
        try await RunningServer.with(feed: feed, urls: ["acme": venue.url], history: true) { server in
            try await Self.wait("it trades, and its past is there") {
                let status = try await Self.feed(server)
                let price = try await Self.market(server, "BTC-USD")["price"] as? Double
                // On a busy machine the hours may be there before the minutes.
                let count = try await Self.candles(server, "1m").count
                return price != nil && count > 100 && status["joined_bars"] as? Int ?? 0 > 100
            }
            let minutes = try await Self.candles(server, "1m")
            #expect(minutes.count > 100 && minutes.dropLast(2).allSatisfy { $0["volume"] as? Double == 60 })
            try await Self.wait("what it does not have is reported") {
                let state = try await Self.market(server, "NONE")["feed_state"] as? String
                let failures = try await Self.feed(server)["history_failures"] as? Int ?? 0
                return state == "refused" && failures > 0
            }
            #expect(try await Self.market(server, "NONE")["quote"] as? String == "USD")
        }
        #expect(venue.log.requests.contains { $0.hasPrefix("/v1/candles?symbol=BTC-USD&timeframe=1m&limit=1000 200") })
        await venue.stop()
    }

    @Test("a provider whose token is not set is an error before anything starts, and the token is in no sentence")
    func token() async throws {
        let text = #"{"url":"wss://a?k={token}","token_env":"CANDLEWIRE_TEST_NO_SUCH_VARIABLE"}"#
        let feed = FeedSpecification.provider(try Self.configuration(text), symbols: ["A"])
        await #expect {
            try await RunningServer.with(feed: feed) { _ in }
        } throws: {
            "\($0)".contains("set the variable CANDLEWIRE_TEST_NO_SUCH_VARIABLE")
        }
    }
}
