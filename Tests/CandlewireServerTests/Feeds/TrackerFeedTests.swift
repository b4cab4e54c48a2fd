import Foundation
import MarketFeeds
import MarketModel
import StreamCore
import Testing

@Suite("The price tracker as a feed", .timeLimit(.minutes(15)))
struct TrackerFeedTests {
    struct Stocks: Decodable {
        struct Stock: Decodable {
            var symbol, market, company, description: String
            var initial_price, price: Double
        }
        var stocks: [Stock]
    }

    struct Markets: Decodable {
        struct Market: Decodable { var symbol: String }
        struct Feed: Decodable { var name, state: String }
        var markets: [Market]
        var feeds: [Feed]
    }

    /// Two stocks, in a file of the test's own.
    static func file() throws -> String {
        let path = RunningServer.temporaryFolder() + ".json"
        let text = """
            [{"symbol":"H2O","company":"Clear","description":"Wells.","initial_price":20.5},
             {"symbol":"BRK.B","company":"Berk","description":"Owns.","initial_price":400,"delta_price":2}]
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("its stocks are markets with candles, and /v1/stocks says what the list says")
    func served() async throws {
        try await RunningServer.with(feed: .tracker(path: try Self.file())) { server in
            let stocks = try JSONDecoder().decode(Stocks.self, from: try await server.get("/v1/stocks").body).stocks
            #expect(stocks.map(\.symbol) == ["H2O", "BRK.B"])
            #expect(stocks.map(\.market) == ["H2O", "BRK.B"])
            #expect(stocks[1].company == "Berk" && stocks[1].description == "Owns.")
            #expect(stocks[1].initial_price == 400 && stocks[1].price == 402)

            let reader = try await server.connect()
            try await reader.send(.subscribe(SubscribeRequest(symbol: "H2O", timeframe: .s1)))
            while true {
                if case .tick("H2O", _, let tick, _) = try await reader.next() {
                    #expect((10.0...40).contains(tick.price))
                    break
                }
            }
            let rows = try candles(try await server.get("/v1/candles?symbol=H2O&timeframe=1m").body)
            #expect(rows.last.map { $0.low > 0 && $0.volume == 0 } == true)
            let markets = try JSONDecoder().decode(Markets.self, from: try await server.get("/v1/markets").body)
            #expect(markets.feeds.map(\.name) == ["tracker"])
            #expect(markets.feeds.map(\.state) == ["live"])
        }
    }

    @Test("beside another feed its markets have its name before them, and an echo server may be named")
    func beside() async throws {
        let echo = try await LoopbackEcho.start()
        try await RunningServer.with(
            feed: .simulated(symbols: ["SOL-USD"]), more: [.tracker(path: nil)], urls: ["tracker": echo.url]
        ) { server in
            let stocks = try JSONDecoder().decode(Stocks.self, from: try await server.get("/v1/stocks").body).stocks
            #expect(stocks.count == 25)
            #expect(stocks.first?.market == "tracker:AERO")
            #expect(try await server.get("/v1/candles?symbol=tracker:AERO&timeframe=1m").status == 200)
            #expect(try await server.get("/v1/candles?symbol=AERO&timeframe=1m").status == 200)
        }
        await echo.stop()
    }

    @Test("a server without it says so, and one with a bad list does not start")
    func without() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            let (status, body) = try await server.get("/v1/stocks")
            #expect(status == 404)
            #expect(String(decoding: body, as: UTF8.self).contains("no_tracker"))
        }
        await #expect(throws: FeedError.self) {
            try await RunningServer.with(feed: .tracker(path: "/nowhere/stocks.json")) { _ in }
        }
    }
}
