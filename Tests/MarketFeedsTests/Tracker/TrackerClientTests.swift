import MarketFeeds
import MarketModel
import NIOCore
import StreamCore
import Synchronization
import TestKit
import Testing
import WebSocketTransport

/// Over real sockets, through a real echo endpoint on loopback.
@Suite("Price tracker over the network", .timeLimit(.minutes(15)))
struct TrackerClientTests {
    /// What an observer was reported, for a test to wait for.
    final class Seen: Sendable {
        private let events = Mutex<[TrackerEvent]>([])
        private let stream: AsyncStream<TrackerEvent>
        private let continuation: AsyncStream<TrackerEvent>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream() }

        var note: @Sendable (TrackerEvent) -> Void {
            { event in
                self.events.withLock { $0.append(event) }
                self.continuation.yield(event)
            }
        }
        var all: [TrackerEvent] { events.withLock { $0 } }

        var prices: [TrackerEvent] {
            all.filter { if case .price = $0 { true } else { false } }
        }

        /// Waits for the next event of its kind. One task at a time.
        func wait(_ isIt: (TrackerEvent) -> Bool) async {
            for await event in stream where isIt(event) { return }
        }
    }

    static func quick(perStock: Bool = false) -> TrackerConfiguration {
        var configuration = TrackerConfiguration.feed
        configuration.interval = 0.05
        configuration.connectsPerStock = perStock
        // A machine that stands still for a moment must not look like a dead connection.
        configuration.connection.connectTimeout = 120
        configuration.connection.heartbeat.interval = 3600
        return configuration
    }

    @Test(
        "through an echo server, on one connection or one per stock",
        arguments: [false, true])
    func roundTrip(perStock: Bool) async throws {
        let echo = try await LoopbackEcho.start()
        let stocks = Array(TrackedStock.bundled.prefix(5))
        let tracker = try TrackerClient(
            stocks, url: echo.url, configuration: Self.quick(perStock: perStock), seed: 1)
        let seen = Seen()
        tracker.observe(seen.note)
        tracker.start()
        await seen.wait { $0 == .connection(.connected, connected: 5) }
        // Each of them several times.
        for stock in stocks.indices {
            await seen.wait { if case .price(stock, let price) = $0 { price.messages >= 2 } else { false } }
        }
        let live = try #require(try await tracker.snapshot())
        #expect(live.state == .connected)
        #expect(live.board.counts.malformed == 0)
        #expect(live.written >= live.board.counts.applied)
        #expect(live.board.prices.allSatisfy { $0.messages > 0 })

        tracker.stop()
        await seen.wait { $0 == .connection(.disconnected, connected: 0) }
        let stopped = try #require(try await tracker.snapshot())
        #expect(stopped.board.prices.map(\.current).allSatisfy { $0 > 0 })
        let count = seen.prices.count
        tracker.start()
        await seen.wait { $0 == .connection(.connected, connected: 5) }
        await seen.wait { if case .price = $0 { true } else { false } }
        #expect(seen.prices.count > count)
        await tracker.shutDown()
        await echo.stop()
    }

    @Test("list and detail see the same prices, and a detail that comes and goes changes nothing for the list")
    func observers() async throws {
        let echo = try await LoopbackEcho.start()
        let tracker = try TrackerClient(
            Array(TrackedStock.bundled.prefix(3)), url: echo.url, configuration: Self.quick(), seed: 1)
        let (list, detail) = (Seen(), Seen())
        tracker.observe(list.note)
        tracker.start()
        await list.wait { if case .price(0, _) = $0 { true } else { false } }
        let observation = tracker.observe(detail.note)
        await detail.wait { if case .price(0, let price) = $0 { price.messages >= 4 } else { false } }
        observation.cancel()
        // The list goes on by itself.
        await list.wait { if case .price(2, let price) = $0 { price.messages >= 8 } else { false } }
        await tracker.shutDown()
        await echo.stop()
        let details = detail.prices
        #expect(!details.isEmpty)
        let all = list.prices
        let start = try #require(all.firstIndex(of: details[0]))
        #expect(Array(all[start..<start + details.count]) == details, "the same, in the same order")
        for stock in 0..<3 {
            let counts = all.compactMap { event -> Int? in
                if case .price(stock, let price) = event { price.messages } else { nil }
            }
            #expect(counts == Array(1...counts.count), "none was missed while the detail came and went")
        }
    }

    @Test("a server that drops the connection costs no more than the deltas of that moment")
    func comesBack() async throws {
        let echo = try await LoopbackEcho.start()
        let port = try WebSocketURL(echo.url).port
        let proxy = try await ChaosProxy.start(target: .init(port: port))
        let tracker = try TrackerClient(
            Array(TrackedStock.bundled.prefix(3)), url: "ws://127.0.0.1:\(proxy.port)/raw", configuration: Self.quick(),
            seed: 1)
        let seen = Seen()
        tracker.observe(seen.note)
        tracker.start()
        await seen.wait { if case .price = $0 { true } else { false } }
        proxy.cutAll()
        await seen.wait { $0 == .connection(.reconnecting, connected: 0) }
        await seen.wait { $0 == .connection(.connected, connected: 3) }
        await seen.wait { if case .price = $0 { true } else { false } }
        await tracker.shutDown()
        await proxy.stop()
        await echo.stop()
    }

    @Test(
        "only ws:// and wss:// are accepted, before anything is tried",
        arguments: [
            "http://127.0.0.1/raw", "127.0.0.1:8080", "ftp://x/", "ws://", "",
        ])
    func badURL(_ url: String) {
        let error = #expect(throws: WebSocketConnectError.self) { try TrackerClient(TrackedStock.bundled, url: url) }
        #expect(error?.code == .badURL)
    }

    @Test("a server without an echo there is distinguished from one that is away")
    func refused() async throws {
        let echo = try await LoopbackEcho.start()
        let tracker = try TrackerClient(
            TrackedStock.bundled, url: echo.url + "x", configuration: Self.quick())
        let seen = Seen()
        tracker.observe(seen.note)
        tracker.start()
        await seen.wait { $0 == .connection(.failed("the server answered 404"), connected: 0) }
        await tracker.shutDown()
        await echo.stop()
    }

    @Test("as a feed that is stopped while it is being started: it does not begin after all, and can be started again")
    func stoppedEarly() async throws {
        let feed = try TrackerFeedCore(
            Array(TrackedStock.bundled.prefix(3)), configuration: Self.quick(), seed: 1)
        for _ in 0..<5 {
            let started = feed.start(clock: { 0 }, onTick: { _, _ in })
            feed.stop()
            try await started.get()
            #expect(try await feed.status() == nil)
        }
        let first = feed.start(clock: { 0 }, onTick: { _, _ in })
        feed.stop()
        try await feed.start(clock: { 0 }, onTick: { _, _ in }).get()
        try await first.get()
        #expect(try await feed.status() != nil, "the second start is not undone by the end of the first")
        feed.stop()
    }

    @Test("as a feed: each price that comes back is a tick of its market, and stopping ends them")
    func feed() async throws {
        let ticks = Mutex<[(Int, Tick)]>([])
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let feed = try TrackerFeedCore(
            Array(TrackedStock.bundled.prefix(3)), configuration: Self.quick(), seed: 1)
        #expect(feed.markets.map(\.symbol) == ["AERO", "ALP-1", "AMBR"])
        #expect(try await feed.status() == nil)
        feed.start(clock: { 1_700_000_000 }) { market, tick in
            ticks.withLock { $0.append((market, tick)) }
            continuation.yield(market)
        }
        var missing: Set = [0, 1, 2]
        for await market in stream {
            missing.remove(market)
            if missing.isEmpty { break }
        }
        let status = try #require(try await feed.status())
        #expect(status.connection == .connected)
        #expect(status.connected == 3)
        feed.stop()
        #expect(try await feed.status() == nil)
        let all = ticks.withLock { $0 }
        #expect(all.allSatisfy { $0.1.price > 0 && $0.1.volume == 0 && $0.1.timestamp == 1_700_000_000 })
    }
}
