import Foundation
import HistoryStore
import MarketFeeds
import MarketModel
import Testing

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
                ("POST", "/v1/markets", 405), ("DELETE", "/health", 405), ("GET", "/v1/stream", 426),
                ("GET", "/.%00/", 400), ("GET", "/index.html%00.js", 400), ("GET", "/a%0Ab", 400),
                ("GET", "/v1//markets", 400), ("GET", "/..%5Csecret", 400),
            ] {
                let answered = try await server.status(method, path)
                #expect(answered == status, "\(method) \(path)")
            }
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
