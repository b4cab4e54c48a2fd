import MarketFeeds
import MarketModel
import StreamCore
import Synchronization
import Testing
import WebSocketTransport

@Suite("The staying client and the real server", .timeLimit(.minutes(15)))
struct StreamClientTests {
    static let feed = FeedSpecification.simulated(symbols: ["BTC-USD", "ETH-USD"])

    /// How many messages of each kind a client got.
    final class FrameCounts: Sendable {
        private let counts = Mutex<[StreamFrame.Kind: Int]>([:])

        subscript(kind: StreamFrame.Kind) -> Int { counts.withLock { $0[kind] ?? 0 } }

        func note(_ frame: StreamFrame) {
            guard frame.direction == .received else { return }
            counts.withLock { $0[frame.kind, default: 0] += 1 }
            if frame.kind == .binary { #expect(frame.text.contains("BTC-USD"), "in words") }
        }
    }

    @Test("its candles, in binary, are those of the server's history, through lost connections too")
    func equalsHistory() async throws {
        try await RunningServer.with(feed: Self.feed) { server in
            let frames = FrameCounts()
            var configuration = StreamClientConfiguration()
            configuration.onFrame = { frames.note($0) }
            configuration.session.backoff = Backoff.Configuration(base: 0.01, cap: 0.05)
            let client = try StreamClient(url: "ws://127.0.0.1:\(server.port)/v1/stream", configuration: configuration)
            client.connect()
            let stream = client.subscribe("BTC-USD", .s1, history: 50, maxRate: nil)
            var live = LiveCandles(timeframe: .s1)
            var finals: [Double: Candle] = [:]
            var order: [Double] = []
            for await event in stream.events {
                live.apply(event)
                #expect(event != .gap)
                guard case .candle(let bar) = event, bar.isFinal else { continue }
                if bar.revision == 0 { order.append(bar.candle.timestamp) }
                finals[bar.candle.timestamp] = bar.candle
                if order.count == 6 { break }
                if order.count % 2 == 0 {
                    // The client closes by itself; to the server that looks like a network failure.
                    client.disconnect()
                    client.connect()
                }
            }
            #expect(order == order.sorted() && Set(order).count == 6)
            let (_, body) = try await server.get("/v1/candles?symbol=BTC-USD&timeframe=1s&limit=60")
            let rest = try candlesByTime(body)
            for (timestamp, candle) in finals { #expect(rest[timestamp] == candle) }
            // Every final bar of the client is the server's, those of the snapshot too.
            for index in 0..<live.series.count where live.series[index].timestamp <= order.last ?? 0 {
                let candle = live.series[index]
                if let other = rest[candle.timestamp] { #expect(other == candle) }
            }
            let diagnostics = await client.diagnostics()
            #expect(diagnostics.session.gaps == 0 && diagnostics.session.malformed == 0)
            #expect(diagnostics.session.recovered + diagnostics.session.reloaded > 0)
            #expect(frames[.binary] > 100)
        }
    }

    @Test("a view of a fast market gets 30 updates a second, and the count of the rest")
    func view() async throws {
        try await RunningServer.with(feed: Self.feed, rate: 4000) { server in
            let frames = FrameCounts()
            var configuration = StreamClientConfiguration()
            configuration.offersBinary = false
            configuration.onFrame = { frames.note($0) }
            let client = try StreamClient(url: "ws://127.0.0.1:\(server.port)/v1/stream", configuration: configuration)
            client.connect()
            let stream = client.subscribe("ETH-USD", .m1)
            var prices: [Double] = []
            var skipped = 0
            for await event in stream.events {
                if case .tick(let tick) = event { prices.append(tick.price) }
                if case .skipped(let count) = event { skipped += count }
                if prices.count >= 5, skipped > 20 { break }
            }
            #expect(prices.count < 100)
            let status = try #require(await stream.status())
            #expect(status.skipped >= skipped)
            #expect(frames[.text] > 10 && frames[.binary] == 0)
        }
    }

    @Test("what the server does not know is refused by name")
    func refused() async throws {
        try await RunningServer.with(feed: Self.feed) { server in
            let client = try StreamClient(url: "ws://127.0.0.1:\(server.port)/v1/stream")
            client.connect()
            for await event in client.subscribe("XYZ", .m1).events {
                guard case .refused(let code, _) = event else { continue }
                #expect(code == "unknown_symbol")
                break
            }
        }
    }
}
