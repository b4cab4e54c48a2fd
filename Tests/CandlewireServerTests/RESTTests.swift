import Foundation
import HistoryStore
import MarketFeeds
import MarketModel
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The candles of a `GET /v1/candles` answer by timestamp.
func candlesByTime(_ body: Data) throws -> [Double: Candle] {
    Dictionary(uniqueKeysWithValues: try candles(body).map { ($0.timestamp, $0) })
}

func candles(_ body: Data) throws -> [Candle] {
    struct Row: Decodable {
        var timestamp, open, high, low, close, volume: Double
    }
    return try JSONDecoder().decode([Row].self, from: body).map {
        Candle(timestamp: $0.timestamp, open: $0.open, high: $0.high, low: $0.low, close: $0.close, volume: $0.volume)
    }
}

@Suite("REST")
struct RESTTests {
    @Test("candles come in pages that join, from memory and from the store")
    func pages() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            let base = "/v1/candles?symbol=SOL-USD&timeframe=1m"
            let newest = try candles(try await server.get(base).body)
            #expect(newest.count == 1000)
            // Backwards past the memory's 2000, forwards again, and all of it the same series.
            var pages = [newest]
            for _ in 0..<3 {
                let before = Int(pages[0][0].timestamp)
                pages.insert(try candles(try await server.get("\(base)&before=\(before)&limit=1500").body), at: 0)
                #expect(pages[0].count == 1500)
            }
            let all = pages.flatMap { $0 }
            for (a, b) in zip(all, all.dropFirst()) { #expect(b.timestamp == a.timestamp + 60) }
            let from = Int(all[100].timestamp)
            let forward = try candles(try await server.get("\(base)&from=\(from)&limit=700").body)
            #expect(forward == Array(all[100..<800]))
            let to = Int(all[120].timestamp)
            #expect(try candles(try await server.get("\(base)&from=\(from)&to=\(to)").body) == Array(all[100...120]))
        }
    }

    @Test("what is wrong with a request is said, with the right status")
    func errors() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            for (query, status, field) in [
                ("", 400, "symbol"), ("symbol=SOL-USD", 400, "timeframe"), ("symbol=XX&timeframe=1m", 404, "symbol"),
                ("symbol=SOL-USD&timeframe=7m", 400, "timeframe"),
                ("symbol=SOL-USD&timeframe=1m&limit=0", 400, "limit"),
                ("symbol=SOL-USD&timeframe=1m&limit=10001", 400, "limit"),
                ("symbol=SOL-USD&timeframe=1m&before=yesterday", 400, "before"),
            ] {
                let (code, body) = try await server.get("/v1/candles?\(query)")
                #expect(code == status, "\(query)")
                let error = (try JSONSerialization.jsonObject(with: body) as? [String: [String: String]])?["error"]
                #expect(error?["field"] == field, "\(query)")
                #expect(error?["message"]?.isEmpty == false)
            }
            let (code, body) = try await server.get("/v1/nothing")
            #expect(code == 404)
            #expect(String(decoding: body, as: UTF8.self).contains("not_found"))
        }
    }

    @Test("methods, upgrades and odd paths are answered for what they are")
    func protocolErrors() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            for (method, path, status) in [
                ("HEAD", "/health", 200), ("HEAD", "/v1/candles?symbol=SOL-USD&timeframe=1m", 200),
                ("PUT", "/v1/markets", 405), ("DELETE", "/health", 405), ("GET", "/v1/stream", 426),
                ("GET", "/.%00/", 400), ("GET", "/index.html%00.js", 400), ("GET", "/a%0Ab", 400),
                ("GET", "/v1//markets", 400), ("GET", "/..%5Csecret", 400),
            ] {
                let answered = try await server.status(method, path)
                #expect(answered == status, "\(method) \(path)")
            }
        }
    }

    @Test(
        "no number of a market has more decimals than its prices, and no percentage more than four",
        arguments: [FeedSpecification.simulated(symbols: ["BTC-USD", "XRP-USD", "DOGE-USD"]), .tracker(path: nil)])
    func decimals(feed: FeedSpecification) async throws {
        try await RunningServer.with(feed: feed) { server in
            let client = TradingClient(server: server)
            func changed(_ market: [String: Any]) -> Bool { (market["change_24h"] as? Double ?? 0) != 0 }
            var markets = try await client.get("/v1/markets").list("markets")
            for _ in 0..<1200 where !markets.contains(where: changed) {
                try await Task.sleep(for: .milliseconds(50))
                markets = try await client.get("/v1/markets").list("markets")
            }
            // The percentage is 4 decimals of a number that rarely has so few: something was rounded.
            #expect(markets.contains(where: changed))
            for market in markets {
                let symbol = try #require(market["symbol"] as? String)
                let name = try #require(symbol.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let one = try await server.get("/v1/markets/\(name)").body
                let candles = try await server.get("/v1/candles?symbol=\(name)&timeframe=1m&limit=50").body
                let precision = try #require(market["precision"] as? Int)
                for (name, decimals) in Self.numbers(in: one) + Self.numbers(in: candles) {
                    let most =
                        name == "change_percent_24h" ? 4 : ["volume", "volume_24h"].contains(name) ? 8 : precision
                    #expect(decimals <= most || name == "timestamp", "\(symbol) \(name)")
                }
            }
            for (name, decimals) in Self.numbers(in: try await server.get("/v1/stocks").body) {
                #expect(decimals <= 8, "\(name)")
            }
        }
    }

    /// The numbers of a document as they are written: the member, which in a list is the list's, and the digits behind
    /// the point.
    static func numbers(in body: Data) -> [(name: String, decimals: Int)] {
        let text = String(decoding: body, as: UTF8.self)
        var name = ""
        return text.matches(of: /"([a-z_0-9]+)"(?=:)|[:\[,]-?[0-9]+(?:\.([0-9]+))?(e[-+]?[0-9]+)?/).compactMap {
            match in
            if let member = match.1 {
                name = String(member)
                return nil
            }
            return (name, match.3 == nil ? match.2?.count ?? 0 : .max)
        }
    }

    @Test(
        "a request's X-Correlation-ID is in its answer and in the log; another is made for one that is no name",
        arguments: [
            ("/health", "abc-1234567", true), ("/v1/nothing", String(repeating: "x", count: 128), true),
            ("/v1/candles", "~!@#$%^&*()", true), ("/health", String(repeating: "x", count: 129), false),
            ("/health", "two words", false), ("/v1/nothing", "", false), ("/health", nil, false),
        ])
    func correlation(path: String, sent: String?, isKept: Bool) async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            var request = URLRequest(url: URL(string: "http://127.0.0.1:\(server.port)\(path)")!)
            if let sent { request.setValue(sent, forHTTPHeaderField: "X-Correlation-ID") }
            let (_, response) = try await URLSession.shared.data(for: request)
            let answered = try #require(
                (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Correlation-ID"))
            #expect((answered == sent) == isKept, "\(answered)")
            #expect((1...128).contains(answered.utf8.count) && answered.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            #expect(server.log.contains("\"correlation_id\": \(answered)"))
            if let sent, !isKept, !sent.isEmpty { #expect(!server.log.contains(sent)) }
        }
    }

    @Test("a second server on the same data directory is refused")
    func locked() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            var refusal: StoreError?
            do {
                try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"]), folder: server.folder) { _ in }
            } catch let error as StoreError {
                refusal = error
            }
            #expect(refusal?.description.contains("in use by another candlewire") == true)
        }
    }

    @Test("markets carry price, a rolling day and a sparkline; health counts ticks")
    func markets() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD", "BTC-USD"])) { server in
            let (code, body) = try await server.get("/v1/markets")
            #expect(code == 200)
            let document = try JSONSerialization.jsonObject(with: body) as? [String: Any]
            let markets = document?["markets"] as? [[String: Any]]
            #expect(markets?.map { $0["symbol"] as? String } == ["SOL-USD", "BTC-USD"])
            let day = try candles(
                try await server.get("/v1/candles?symbol=BTC-USD&timeframe=1m&limit=1441").body)
            let high = markets?[1]["high_24h"] as? Double ?? 0
            #expect(high <= day.map(\.high).max()! && high >= day.dropFirst(2).map(\.high).max()! * 0.99)
            #expect((markets?[1]["sparkline"] as? [Double])?.count == 48)
            #expect((document?["timeframes"] as? [String])?.count == 16)
            let single = try await server.get("/v1/markets/BTC-USD")
            #expect(single.status == 200)
            #expect(try await server.get("/v1/markets/DOGE-USD").status == 404)
            let health = String(decoding: try await server.get("/health").body, as: UTF8.self)
            #expect(health.contains("\"status\":\"ok\""))
        }
    }
}
