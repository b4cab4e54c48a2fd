import CandlewireServer
import Foundation
import MarketFeeds
import MarketModel
import StreamCore
import Testing
import VenueSimulation

/// The whole server and a simulated Intrinio: markets that come and go, and a feed that is switched off and on.
@Suite("markets added and removed while the server runs, over real sockets", .timeLimit(.minutes(15)))
struct AddedMarketsTests {
    private static let feed = FeedSpecification.live(feed: "intrinio", symbols: ["AAPL"])
    private static let key = ["intrinio": FeedCredentials.password(user: "demo", password: "demo")]

    private static func venue(loops: Bool = true) async throws -> (venue: VenueSimulator, prices: [Double]) {
        let session = try #require(SimulatedVenue.intrinio.madeSession(seconds: 58))
        var reader = VenueSession(venue: .intrinio)
        var prices: [Double] = []
        for message in session.messages {
            message.withUnsafeBytes { _ = reader.read($0) }
            for trade in reader.trades where reader.symbols.names[trade.market] == "AAPL" {
                prices.append(trade.tick.price)
            }
        }
        let settings = VenueSettings(pace: .recorded(), times: .now, loops: loops)
        return (try await VenueSimulator.start(.intrinio, session: session, settings: settings), prices)
    }

    private static func wait(_ what: Comment, _ condition: @Sendable () async throws -> Bool) async throws {
        for _ in 0..<1200 {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record(what)
    }

    private static func symbols(_ client: TradingClient) async throws -> [String] {
        try await client.get("/v1/markets").list("markets").compactMap { $0["symbol"] as? String }
    }

    /// The prices of the next ticks.
    private static func prices(_ reader: StreamReader, count: Int) async throws -> [Double] {
        var prices: [Double] = []
        while prices.count < count {
            if case .tick(_, _, let tick, _) = try await reader.next() { prices.append(tick.price) }
        }
        return prices
    }

    @Test(
        "a market is searched and added without a new connection, no tick of the others is lost, and a restart keeps it"
    )
    func added() async throws {
        let (venue, all) = try await Self.venue(loops: false)
        let folder = RunningServer.temporaryFolder()
        try await RunningServer.with(
            feed: Self.feed, urls: ["intrinio": venue.baseURL], folder: folder, credentials: Self.key
        ) { server in
            let client = TradingClient(server: server)
            try await Self.wait("the feed is live") {
                try await client.get("/v1/markets/AAPL")["feed_state"] == nil
            }
            let reader = try await server.connect()
            try await reader.send(.subscribe(SubscribeRequest(symbol: "AAPL", timeframe: .m1)))
            var seen = try await Self.prices(reader, count: 2)

            let found = try await client.get("/v1/listings?query=micro")
            #expect(found.list("listings").map { $0["symbol"] as? String } == ["MSFT"])
            #expect(found.list("listings").first?["name"] as? String == "Microsoft Corp")
            #expect(found.list("listings").first?["market"] == nil, "it can be added")
            let new = try await client.send("POST", "/v1/markets", ["symbol": "MSFT"])
            #expect(new.status == 201 && new.text("symbol") == "MSFT" && new.text("name") == "Microsoft Corp")
            let answer1 = try await client.send("POST", "/v1/markets", ["symbol": "MSFT"])
            #expect(answer1.status == 200, "it is there")
            try await Self.wait("it trades") { try await client.get("/v1/markets/MSFT")["price"] is Double }
            let answer2 = try await client.get("/v1/candles?symbol=MSFT&timeframe=1s")
            #expect(answer2.status == 200)

            seen += try await Self.prices(reader, count: 12)
            let starts = all.indices.filter { all[$0...].starts(with: seen) }
            #expect(!starts.isEmpty, "each trade of the venue, in order: \(seen) of \(all)")
            #expect(venue.log.connections == 1, "the connection stays")

            let unknown = try await client.send("POST", "/v1/markets", ["symbol": "ZZZZ"])
            #expect(unknown.status == 404 && unknown.errorCode == "not_listed" && unknown.errorField == "symbol")
            let wrong = try await client.send("POST", "/v1/markets", ["symbol": "no such"])
            #expect(wrong.status == 400 && wrong.errorMessage.contains("AAPL"), "says how symbols look")
            let missing = try await client.send("POST", "/v1/markets", ["symbol": "GE", "feed": "kraken"])
            #expect(missing.status == 404 && missing.errorMessage.contains("allowed are intrinio"))
            let long = try await client.get("/v1/listings?query=" + String(repeating: "a", count: 65))
            #expect(long.status == 400 && long.errorField == "query")
        }
        try await RunningServer.with(
            feed: Self.feed, urls: ["intrinio": venue.baseURL], folder: folder, credentials: Self.key
        ) { server in
            let client = TradingClient(server: server)
            let answer3 = try await Self.symbols(client)
            #expect(answer3 == ["AAPL", "MSFT"])
            let answer4 = try await client.send("DELETE", "/v1/markets/MSFT")
            #expect(answer4.status == 200)
        }
        try await RunningServer.with(
            feed: Self.feed, urls: ["intrinio": venue.baseURL], folder: folder, credentials: Self.key
        ) { server in
            let client = TradingClient(server: server)
            let answer5 = try await Self.symbols(client)
            #expect(answer5 == ["AAPL"], "what was removed stays away")
            let answer6 = try await client.send("POST", "/v1/markets", ["symbol": "MSFT"])
            #expect(answer6.status == 201, "until it is added")
        }
        await venue.stop()
    }

    @Test("a market with orders or a position stays; else who reads it gets the end, and the others go on")
    func removed() async throws {
        let (venue, _) = try await Self.venue()
        try await RunningServer.with(feed: Self.feed, urls: ["intrinio": venue.baseURL], credentials: Self.key) {
            server in
            let client = TradingClient(server: server)
            let last = try await client.send("DELETE", "/v1/markets/AAPL")
            #expect(last.status == 409 && last.errorCode == "last_market")
            let answer7 = try await client.send("POST", "/v1/markets", ["symbol": "MSFT"])
            #expect(answer7.status == 201)
            try await Self.wait("it trades") { try await client.get("/v1/markets/MSFT")["price"] is Double }
            let far = ["symbol": "MSFT", "type": "limit", "limit_price": "1"]
            let order = try await client.place("far", far)
            #expect(order.status == 201)
            let refused = try await client.send("DELETE", "/v1/markets/MSFT")
            #expect(refused.status == 409 && refused.errorCode == "market_in_use")
            #expect(refused.errorMessage == "MSFT cannot be removed: it has an open order.")
            let id = try #require(order.text("id"))
            let answer8 = try await client.send("DELETE", "/v1/orders/\(id)")
            #expect(answer8.status == 200)

            let (reader, other) = (try await server.connect(), try await server.connect())
            try await reader.send(.subscribe(SubscribeRequest(symbol: "MSFT", timeframe: .m1)))
            try await other.send(.subscribe(SubscribeRequest(symbol: "AAPL", timeframe: .m1)))
            _ = try await Self.prices(reader, count: 1)
            let gone = try await client.send("DELETE", "/v1/markets/MSFT")
            #expect(gone.status == 200 && gone["back_after_restart"] as? Bool == false)
            while true {
                guard case .unsubscribed(let id, let symbol, let timeframe) = try await reader.next() else { continue }
                #expect(id == nil && symbol == "MSFT" && timeframe == .m1)
                break
            }
            try await reader.send(.subscribe(SubscribeRequest(symbol: "MSFT", timeframe: .m1, id: RequestID(7))))
            while true {
                guard case .error(let code, _, _, _) = try await reader.next() else { continue }
                #expect(code == "unknown_symbol")
                break
            }
            _ = try await Self.prices(other, count: 4)
            let answer9 = try await Self.symbols(client)
            #expect(answer9 == ["AAPL"])
            let answer10 = try await client.place("late", far)
            #expect(answer10.errorCode == "unknown_symbol")
            #expect(venue.log.connections == 1)
            let answer11 = try await client.send("POST", "/v1/markets", ["symbol": "MSFT"])
            #expect(answer11.status == 201, "and back again")
            let orders = try await client.get("/v1/orders?symbol=MSFT&status=all")
            #expect(orders.list("orders").count == 1, "with its ledger")
        }
        await venue.stop()
    }

    @Test("only those with a token may change markets, within a bound, and a feed's fixed markets stay")
    func refused() async throws {
        let (venue, _) = try await Self.venue()
        let token = "a-token-for-markets-0123456789abcdef"
        let file = try TestSecrets.file(token)
        var limits = ServerLimits()
        limits.addedMarkets = 1
        let (tokens, bounds) = (try StreamTokens(file: file), limits)
        try await RunningServer.with(
            feed: Self.feed, more: [.simulated(symbols: ["BTC-USD"])], urls: ["intrinio": venue.baseURL],
            limits: bounds,
            tokens: tokens, credentials: Self.key
        ) { server in
            let client = TradingClient(server: server)
            let bearer = ["Authorization": "Bearer \(token)"]
            for (method, path, body) in [
                ("GET", "/v1/listings?query=ge", nil), ("POST", "/v1/markets", ["symbol": "GE"]),
                ("DELETE", "/v1/markets/sim:BTC-USD", nil), ("POST", "/v1/feeds/sim", ["on": false]),
            ] as [(String, String, [String: Any]?)] {
                let answer12 = try await client.send(method, path, body)
                #expect(answer12.status == 401, "\(method) \(path)")
            }
            let fixed = try await client.send("DELETE", "/v1/markets/sim:BTC-USD", headers: bearer)
            #expect(fixed.status == 409 && fixed.errorCode == "fixed_markets")
            let first = try await client.send("POST", "/v1/markets", ["symbol": "intrinio:GE"], headers: bearer)
            #expect(first.status == 201 && first.text("symbol") == "intrinio:GE")
            let second = try await client.send("POST", "/v1/markets", ["symbol": "MSFT"], headers: bearer)
            #expect(second.status == 409 && second.errorCode == "too_many_markets")
            #expect(second.errorMessage.contains("At most 1"))
        }
        await venue.stop()
    }

    @Test(
        "a feed is switched off and on: its connection ends, nothing is ordered there meanwhile, and the others go on")
    func switched() async throws {
        let (venue, _) = try await Self.venue()
        try await RunningServer.with(
            feed: Self.feed, more: [.simulated(symbols: ["BTC-USD"])], urls: ["intrinio": venue.baseURL],
            credentials: Self.key
        ) { server in
            let client = TradingClient(server: server)
            try await Self.wait("it trades") { try await client.get("/v1/markets/AAPL")["price"] is Double }
            let answer13 = try await client.place("far", ["symbol": "AAPL", "type": "limit", "limit_price": "1"])
            #expect(answer13.status == 201)
            let off = try await client.send("POST", "/v1/feeds/intrinio", ["on": false])
            #expect(off.status == 200 && off["open_orders"] as? Int == 1, "says what waits")
            try await Self.wait("the connection is closed") { venue.log.open == 0 }
            let answer14 = try await client.get("/v1/markets/AAPL")
            #expect(answer14.text("feed_state") == "off")
            let late = try await client.place("late", ["symbol": "AAPL"])
            #expect(late.status == 409 && late.errorCode == "feed_off")
            var order: [String: Any] = [
                "symbol": "AAPL", "client_order_id": "late", "side": "buy", "type": "market", "quantity": "1",
            ]
            let preview = try await client.send("POST", "/v1/orders/preview", order)
            #expect(preview.list("problems").first?["field"] as? String == "symbol")
            #expect(preview.list("problems").first?["message"] as? String == late.errorMessage)
            order["client_order_id"] = "far"
            let known = try await client.send("POST", "/v1/orders/preview", order)
            #expect(!known.list("problems").contains { $0["field"] as? String == "symbol" }, "it is that order")
            let answer15 = try await client.get("/v1/markets/sim:BTC-USD")
            #expect(answer15["feed_state"] == nil)
            let feeds = try await client.get("/v1/feeds")
            let feed = try #require(feeds.list("feeds").first { $0["name"] as? String == "intrinio" })
            #expect(feed["on"] as? Bool == false && feed["kind"] as? String == "live")
            #expect(feed["title"] as? String == "Intrinio" && feed["last_message_at"] is Double)
            #expect((feed["address"] as? String)?.hasPrefix("ws://127.0.0.1") == true)
            #expect(feeds.text("trading") == "paper" && feeds.text("version") != nil)

            let reader = try await server.connect()
            try await reader.send(.subscribe(SubscribeRequest(symbol: "AAPL", timeframe: .m1)))
            let answer16 = try await client.send("POST", "/v1/feeds/intrinio", ["on": true])
            #expect(answer16.status == 200)
            _ = try await Self.prices(reader, count: 2)
            let answer17 = try await client.get("/v1/markets/AAPL")
            #expect(answer17["feed_state"] == nil)

            let answer18 = try await client.send("POST", "/v1/feeds/sim", ["on": false])
            #expect(answer18.status == 200)
            let answer19 = try await client.get("/v1/markets/sim:BTC-USD")
            #expect(answer19.text("feed_state") == "off")
            let answer20 = try await client.send("POST", "/v1/feeds/sim", ["on": true])
            #expect(answer20.status == 200)
            try await reader.send(.subscribe(SubscribeRequest(symbol: "sim:BTC-USD", timeframe: .m1)))
            while true {
                if case .tick("sim:BTC-USD", _, _, _) = try await reader.next() { break }
            }
            let answer21 = try await client.send("POST", "/v1/feeds/other", ["on": true])
            #expect(answer21.status == 404)
        }
        await venue.stop()
    }
}
