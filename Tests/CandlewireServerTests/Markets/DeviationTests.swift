import CandlewireServer
import Foundation
import MarketFeeds
import MarketModel
import TestKit
import Testing

@Suite("bad prints are held back where that is requested", .timeLimit(.minutes(15)))
struct DeviationTests {
    @Test("single prints far away are not taken; the third in a row at a new level is")
    func filter() {
        var filter = DeviationFilter(maxPercent: 10)
        func passed(_ prices: Double...) -> [Double] { prices.filter { filter.passes($0) } }
        #expect(passed(100, 110, 99, 108.8) == [100, 110, 99, 108.8], "each is held against the one before")
        #expect(passed(1088, 108, 10.8, 109) == [108, 109], "a misplaced point to either side")
        #expect(passed(200, 50, 201, 52, 110) == [110], "far prints that do not agree confirm nothing")
        #expect(passed(200, 201, 110, 200, 202) == [110], "and they must come in a row")
        #expect(passed(203, 204, 111) == [203, 204], "the market is there now")
        filter.reset()
        #expect(passed(5, 5.1) == [5, 5.1])
    }

    private static func match(_ id: Int, _ price: String) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return #"{"type":"match","trade_id":\#(id),"side":"sell","size":"1","price":"\#(price)","#
            + #""product_id":"BTC-USD","sequence":\#(id),"time":"\#(formatter.string(from: Date()))"}"#
    }

    @Test("/health counts them as `deviation`; without the option all are taken", arguments: [true, false])
    func health(isEnabled: Bool) async throws {
        let granted = #"{"type":"subscriptions","channels":[{"name":"matches","product_ids":["BTC-USD"]}]}"#
        let prices = ["100", "101", "1010", "102", "1020", "103", "150", "151", "152", "153"]
        let venue = try await ScriptedServer.start([
            [.expectAnything, .send(granted)] + prices.enumerated().map { .send(Self.match($0 + 1, $1)) }
        ])
        let feed = FeedSpecification.live(feed: "coinbase", symbols: ["BTC-USD"])
        let limits = isEnabled ? ["coinbase": 20.0] : [:]
        try await RunningServer.with(feed: feed, urls: ["coinbase": venue.url], maxDeviation: limits) { server in
            let client = TradingClient(server: server)
            for _ in 0..<2400 {
                if try await client.get("/v1/markets/BTC-USD")["price"] as? Double == 153 { break }
                try await Task.sleep(for: .milliseconds(50))
            }
            let status = try #require(try await client.get("/health").list("feeds").first)
            let rejected = try #require(status["rejected"] as? [String: Int])
            #expect(rejected["deviation"] == (isEnabled ? 4 : 0))
            #expect(status["trades"] as? Int == 10)
            let body = try await server.get("/v1/candles?symbol=BTC-USD&timeframe=1h").body
            let hours = try #require(try JSONSerialization.jsonObject(with: body) as? [[String: Double]])
            #expect(hours.compactMap { $0["high"] }.max() == (isEnabled ? 153 : 1020))
        }
        await venue.stop()
    }
}
