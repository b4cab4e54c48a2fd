import Foundation
import MarketFeeds
import MarketModel
import StreamCore
import Testing
import WebSocketTransport

@Suite("Replay")
struct ReplayTests {
    /// A made-up Binance recording: two symbols, quotes of a cent, trades half a second apart over twenty minutes.
    static func recording() throws -> (path: String, trades: [String: [Tick]]) {
        var lines: [String] = []
        var trades: [String: [Tick]] = [:]
        for index in 0..<2400 {
            let symbol = index % 3 == 0 ? "ETHUSDT" : "BTCUSDT"
            let milliseconds = 1_700_000_000_000 + index * 500
            let price = Double(10_000 + (index * 37) % 501) / 100
            let quantity = Double(1 + (index * 13) % 97) / 1000
            let id = trades[symbol]?.count ?? 0
            lines.append(
                #"{"e":"trade","s":"\#(symbol)","t":\#(id),"p":"\#(price)","q":"\#(quantity)","T":\#(milliseconds)}"#)
            trades[symbol, default: []].append(
                Tick(timestamp: Double(milliseconds) / 1000, price: price, volume: quantity))
        }
        let path = RunningServer.temporaryFolder() + ".jsonl"
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
        return (path, trades)
    }

    @Test("a recording at full speed gives exactly the candles of its trades")
    func exact() async throws {
        let (path, trades) = try Self.recording()
        try await RunningServer.with(feed: .replay(path: path)) { server in
            try await Self.waitForEnd(server)
            for (symbol, ticks) in trades {
                for timeframe in [Timeframe.s5, .m1, .m5, .h1] {
                    let (_, body) = try await server.get(
                        "/v1/candles?symbol=\(symbol)&timeframe=\(timeframe.rawValue)&limit=5000")
                    let groups = Dictionary(grouping: ticks) { timeframe.bucketStart(of: $0.timestamp) }
                    let expected = groups.keys.sorted().map { start in
                        let group = groups[start]!
                        return Candle(
                            timestamp: start, open: group[0].price, high: group.map(\.price).max()!,
                            low: group.map(\.price).min()!, close: group.last!.price,
                            volume: Double(group.reduce(0) { $0 + Int(($1.volume * 1000).rounded()) }) / 1000)
                    }
                    #expect(try candles(body) == expected, "\(symbol) \(timeframe)")
                }
            }
        }
    }

    @Test("a loop begins a new epoch, with an empty snapshot for each subscriber")
    func loops() async throws {
        let (path, _) = try Self.recording()
        try await RunningServer.with(feed: .replay(path: path), loops: true) { server in
            let reader = try await server.connect()
            try await reader.send(.subscribe(SubscribeRequest(symbol: "BTCUSDT", timeframe: .m1)))
            var epochs: [String] = []
            while epochs.count < 3 {
                if case .snapshot(_, _, let candles, let position?) = try await reader.next() {
                    if !epochs.isEmpty { #expect(candles.isEmpty) }
                    epochs.append(position.epoch)
                }
            }
            #expect(Set(epochs).count == 3)
            await reader.socket.close()
        }
    }

    static func waitForEnd(_ server: RunningServer, pause: Duration = .zero) async throws {
        // Full speed: a few milliseconds; each look is a request of its own.
        for _ in 0..<10_000 {
            if pause > .zero { try await Task.sleep(for: pause) }
            let health = String(decoding: try await server.get("/health").body, as: UTF8.self)
            if health.contains("\"state\":\"ended\"") { return }
        }
        Issue.record("the recording did not end")
    }
}
