import Foundation
import MarketFeeds
import MarketModel
import Testing

@Suite("Charts over REST")
struct ChartRouteTests {
    @Test("a chart comes as PNG, SVG, PDF or CSV, with its type")
    func formats() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            let query = "symbol=SOL-USD&timeframe=1m&width=400&height=300&pixel_ratio=1&studies=ema:20,rsi"
            for (format, type, start) in [
                ("png", "image/png", [0x89, 0x50, 0x4E, 0x47]), ("svg", "image/svg+xml", Array("<?xml".utf8)),
                ("pdf", "application/pdf", Array("%PDF-".utf8)),
                ("csv", "text/csv; charset=utf-8", Array("timestamp,".utf8)),
            ] as [(String, String, [UInt8])] {
                let (status, contentType, body) = try await server.answer("/v1/chart.\(format)?\(query)")
                #expect(status == 200 && contentType == type && body.starts(with: start), "\(format)")
            }
            let (_, _, png) = try await server.answer("/v1/chart.png?\(query)")
            #expect(Array(png[16..<24]) == [0, 0, 1, 144, 0, 0, 1, 44], "400 x 300 pixels")
        }
    }

    @Test("the table has the candles of /v1/candles, and studies from the first line on")
    func table() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            let (_, body) = try await server.get("/v1/candles?symbol=SOL-USD&timeframe=1m&limit=1000")
            let candles = try candlesByTime(body)
            let before = Int(candles.keys.max()!)
            let path = "/v1/chart.csv?symbol=SOL-USD&timeframe=1m&bars=300&studies=ema:20,bollinger&before=\(before)"
            let text = String(decoding: try await server.get(path).body, as: UTF8.self)
            let lines = text.split(separator: "\r\n")
            #expect(lines.count == 301)
            #expect(lines[0].hasPrefix("timestamp,open,high,low,close,volume,ema_20,bollinger_20_2_"))
            for line in lines.dropFirst() {
                let fields = line.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
                let candle = try #require(candles[fields[0]!])
                #expect(fields[1...5] == [candle.open, candle.high, candle.low, candle.close, candle.volume])
                #expect(fields[6...].allSatisfy { $0 != nil })
            }
        }
    }

    @Test("from a time on, the table begins there")
    func tableFromATime() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            let (_, body) = try await server.get("/v1/candles?symbol=SOL-USD&timeframe=1m&limit=1000")
            let from = Int(try candlesByTime(body).keys.sorted()[0])
            let path = "/v1/chart.csv?symbol=SOL-USD&timeframe=1m&bars=5&from=\(from)"
            let text = String(decoding: try await server.get(path).body, as: UTF8.self)
            let times = text.split(separator: "\r\n").dropFirst().map { Int($0.prefix { $0 != "," }) }
            #expect(times == (0..<5).map { from + 60 * $0 })
        }
    }

    @Test("what is wrong with a request names the field")
    func errors() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            let base = "symbol=SOL-USD&timeframe=1m"
            for (query, status, field) in [
                ("", 400, "symbol"), ("symbol=SOL-USD", 400, "timeframe"), ("symbol=XX&timeframe=1m", 404, "symbol"),
                ("\(base)&width=99", 400, "width"), ("\(base)&theme=blue", 400, "theme"),
                ("\(base)&studies=foo", 400, "study"), ("\(base)&bars=0", 400, "bars"),
                ("\(base)&bars=9001", 400, "bars"), ("\(base)&width=8000&height=8000", 400, "pixel_ratio"),
                ("\(base)&colour=red", 400, "colour"), ("\(base)&timezone=Mars", 400, "timezone"),
                ("\(base)&before=x", 400, "before"),
            ] {
                let (code, type, body) = try await server.answer("/v1/chart.png?\(query)")
                #expect(code == status && type?.hasPrefix("application/json") == true, "\(query)")
                let error = (try JSONSerialization.jsonObject(with: body) as? [String: [String: String]])?["error"]
                #expect(error?["field"] == field && error?["message"]?.isEmpty == false, "\(query)")
            }
            let unknown = try await server.status("GET", "/v1/chart.gif?\(base)")
            let posted = try await server.status("POST", "/v1/chart.png?\(base)")
            #expect(unknown == 404 && posted == 405)
        }
    }

    @Test("a hostile request is refused or drawn, and the server goes on")
    func hostile() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            let base = "/v1/chart.png?symbol=SOL-USD&timeframe=1m&width=200&height=200"
            let long = String(repeating: "ema:20,", count: 2000)
            for (query, status) in [
                ("&width=1e308", 400), ("&width=-0", 400), ("&height=0x10000", 400), ("&pixel_ratio=nan", 400),
                ("&bars=9223372036854775808", 400), ("&bars=%00", 400), ("&studies=\(long)", 400),
                ("&studies=ema:1e999", 400), ("&studies=ichimoku:9:26:52:99999999999", 400),
                ("&price_range=nan:nan", 400), ("&price_range=-1e308:1e308", 400), ("&baseline=1e300", 400),
                ("&theme=../../etc/passwd.json", 400), ("&series=%FF%FE", 400), ("&font_scale=0", 400),
                ("&width=8000&height=100&pixel_ratio=4.2", 400), ("&before=inf", 400), ("&%00=1", 400),
                ("&before=1e300", 200), ("&from=5&to=-5", 200),
                ("&studies=,,,", 200), ("&price_range=1:2&price_scale=log&inverted=true", 200),
                ("&price_range=-1e15:1e15&price_scale=log", 200), ("&baseline=-1e15&series=baseline", 200),
                ("&font_scale=3&width=100&height=100&pixel_ratio=0.5", 200), ("&bars=1&studies=sar,adx,obv", 200),
            ] {
                let (code, type, body) = try await server.answer(base + query)
                #expect(code == status, "\(query.prefix(60)): \(String(decoding: body.prefix(300), as: UTF8.self))")
                #expect(
                    type == (status == 200 ? "image/png" : "application/json; charset=utf-8"), "\(query.prefix(60))")
            }
        }
    }

    @Test("many at once are drawn, or refused with a time to retry")
    func many() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["SOL-USD"])) { server in
            let path = "/v1/chart.png?symbol=SOL-USD&timeframe=1m&width=300&height=200"
            let codes = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<40 { group.addTask { (try? await server.answer(path).status) ?? 0 } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.allSatisfy { $0 == 200 || $0 == 503 } && codes.contains(200))
            let after = try await server.answer(path)
            #expect(after.status == 200)
        }
    }
}
