import Foundation
import MarketModel
import Testing
import VenueSimulation

@testable import CandlewireServer
@testable import MarketFeeds

@Suite("The open of a session", .timeLimit(.minutes(15)))
struct SessionPricesTests {
    /// 2024-08-08 15:00 UTC, 11:00 in New York.
    private static let now = 1_723_129_200.0

    private static func minute(_ at: Double, _ price: Double) -> Candle {
        Candle(timestamp: at, open: price, high: price + 0.5, low: price - 0.5, close: price, volume: 1)
    }

    private static func session(
        _ date: String = "2024-08-08", open: Double? = 100, high: Double? = 105.5, low: Double? = 98.25
    ) -> SessionDay? {
        SessionDay(ReferencePrice(date: date, open: open, high: high, low: low), asOf: now)
    }

    @Test("prices without a date or a sound open are no session; a high or low that is missing is the open")
    func sound() {
        #expect(Self.session("") == nil)
        #expect(Self.session(open: nil) == nil && Self.session(open: 0) == nil && Self.session(open: .nan) == nil)
        let bare = Self.session(high: nil, low: .infinity)
        #expect(bare?.open == 100 && bare?.high == 100 && bare?.low == 100)
    }

    @Test("what was traded since widens it, what was traded before does not, and the change is from the open")
    func including() throws {
        let minutes = [(-3600.0, 300.0), (-120, 1), (60, 110), (120, 97)].map { Self.minute(Self.now + $0, $1) }
        let day = try #require(Self.session()?.including(minutes, last: 103, at: Self.now + 180))
        #expect((day.open, day.high, day.low, day.change) == (100, 110.5, 96.5, 3))
        let beyond = try #require(Self.session()?.including([], last: 120, at: Self.now))
        #expect((beyond.high, beyond.low, beyond.change) == (120, 98.25, 20))
    }

    @Test("a last trade of another day is of another session")
    func another() {
        for days in [-1.0, 1, 7] {
            #expect(Self.session()?.including([], last: 103, at: Self.now + days * 86_400) == nil)
        }
    }

    @Test("a market of Intrinio has the session's open, three decimals, and 24 h figures beside them")
    func served() async throws {
        let session = try #require(SimulatedVenue.intrinio.madeSession(seconds: 10))
        let venue = try await VenueSimulator.start(.intrinio, session: session, settings: VenueSettings(times: .now))
        try await RunningServer.with(
            feed: .live(feed: "intrinio", symbols: ["AAPL"]), urls: ["intrinio": venue.baseURL],
            credentials: ["intrinio": .password(user: "demo", password: "demo")], history: true
        ) { server in
            var market: [String: Any] = [:]
            for _ in 0..<1200 where market["session"] == nil {
                let body = try await server.get("/v1/markets/AAPL").body
                market = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
                try await Task.sleep(for: .milliseconds(50))
            }
            let day = try #require(market["session"] as? [String: Any])
            let price = try #require(market["price"] as? Double)
            #expect(day["open"] as? Double == 100)
            // With the prices' decimals, without the noise of binary fractions.
            #expect(day["change"] as? Double == ((price - 100) * 1e4).rounded() / 1e4)
            #expect(day["high"] as? Double ?? 0 >= max(105.5, price))
            #expect(day["low"] as? Double ?? .infinity <= min(98.25, price))
            #expect((day["date"] as? String)?.count == 10)
            #expect(market["precision"] as? Int ?? 0 >= 3)
            #expect(market["open_24h"] is Double)
        }
        #expect(venue.log.requests.contains { $0.hasPrefix("/prices") })
        await venue.stop()
    }
}
