import MarketModel
import StreamCore
import TestKit
import Testing
import WebSocketTransport

/// The code of the guide, as it stands there: each region between `// snippet` and `// end` is one block of an article.
/// `GuideTests` runs them and compares them with the articles.
enum Snippets {
    struct Unexpected: Error {}

    /// Where the articles have something of the application.
    struct Login: Sendable {
        func token(refreshing: Bool) async throws -> String { refreshing ? "new" : "old" }
    }

    // MARK: Connecting

    static func open(url: String) async throws -> StreamClient {
        // snippet
        let client = try StreamClient(url: url)
        client.connect()
        for await state in client.states {
            print(state)
            if state == .open { break }
        }
        // end
        return client
    }

    // snippet
    static func label(_ state: SessionState, now: Double) -> String {
        switch state {
        case .idle: "Not connected"
        case .connecting, .authenticating: "Connecting…"
        case .open: "Live"
        case .waiting(let until): "Next attempt in \(Int(max(0, until - now).rounded(.up))) s"
        case .failed(.unauthorized): "Please sign in again"
        case .failed: "The server refused the connection"
        case .closed: "Disconnected"
        }
    }
    // end

    static func hints(_ client: StreamClient) {
        // snippet
        client.networkChanged(isAvailable: true)
        client.retryNow()  // for a button, or for an app that comes to the foreground
        // end
    }

    static func secrets(_ login: Login) throws -> StreamClient {
        // snippet
        var configuration = StreamClientConfiguration()
        configuration.tls.trust = try .authorities(file: "our-ca.pem")
        configuration.token = { wasRejected in try await login.token(refreshing: wasRejected) }
        let client = try StreamClient(url: "wss://stream.example.com/v1/stream", configuration: configuration)
        // end
        return client
    }

    static func inside(_ client: StreamClient) async {
        // snippet
        let diagnostics = await client.diagnostics()
        print("connected: \(diagnostics.isConnected), attempts: \(diagnostics.reconnectAttempts)")
        print("messages: \(diagnostics.messageCount), up for \(diagnostics.uptime) s")
        print("recovered: \(diagnostics.session.recovered), reloaded: \(diagnostics.session.reloaded)")
        // end
    }

    static func frames(_ log: @escaping @Sendable (String) -> Void) -> StreamClientConfiguration {
        // snippet
        var configuration = StreamClientConfiguration()
        configuration.onFrame = { frame in log("\(frame)") }
        // end
        return configuration
    }

    // MARK: Subscribing

    static func candles(_ client: StreamClient) async {
        // snippet
        let stream = client.subscribe("BTC-USD", .s1, history: 50)
        for await series in stream.candles() {
            print("\(series.count) candles, last price \(series.last?.close ?? 0)")
            if series.count > 50 { break }
        }
        // end
    }

    static func events(_ client: StreamClient) async -> Candle? {
        // snippet
        for await event in client.subscribe("ETH-USD", .s1).events {
            switch event {
            case .snapshot(let candles, _): print("\(candles.count) candles of the past")
            case .tick(let tick): print("traded at \(tick.price)")
            case .candle(let bar): if bar.isFinal { return bar.candle }
            case .stale(let age): print("no trade for \(age) s")
            case .refused(_, let message): print(message)
            case .subscribed, .skipped, .gap, .fresh: continue
            }
        }
        // end
        return nil
    }

    static func views(_ client: StreamClient) -> StreamSubscription {
        // snippet
        let list = client.subscribe("BTC-USD", .m1, history: 1, maxRate: 2)
        let chart = client.subscribe("BTC-USD", .m1, history: 300)
        chart.pause()  // scrolled out of sight
        chart.resume()  // begins with one snapshot, not with a burst
        list.cancel()
        // end
        return chart
    }

    // MARK: Channels

    static func channel(_ client: StreamClient) async throws {
        // snippet
        let orders = client.channel(.orders, account: "paper-main")
        for try await message in orders.messages {
            print(message.head.type, message.head.sequence ?? 0, message.text)
            if message.head.type == "snapshot" { break }
        }
        // end
    }

    static func channelEvents(_ client: StreamClient) async -> ChannelHead? {
        // snippet
        for await event in client.channel(.orders).events {
            switch event {
            case .subscribed: print("what is shown is about to be replaced")
            case .message(let message): return message.head
            case .skipped(let count): print("\(count) messages were dropped: this task was too slow")
            case .refused(_, let message): print(message)
            }
        }
        // end
        return nil
    }

    // MARK: Recovery

    static func recovery(_ client: StreamClient) async -> LiveCandles {
        // snippet
        var live = LiveCandles(timeframe: .s1)
        for await event in client.subscribe("BTC-USD", .s1, maxRate: nil).events {
            switch event {
            case .subscribed(recovered: true): print("back, and nothing was missed")
            case .snapshot(_, .reloaded): print("back, the past was loaded again")
            case .gap: print("something was lost, a snapshot follows")
            default: break
            }
            live.apply(event)
            if live.isComplete, live.series.count > 300 { break }
        }
        // end
        return live
    }

    static func rotation() -> StreamClientConfiguration {
        // snippet
        var configuration = StreamClientConfiguration()
        configuration.session.rotation = 23 * 3600
        // end
        return configuration
    }

    // MARK: Slow readers

    static func view(_ client: StreamClient) -> StreamSubscription {
        // snippet
        let view = client.subscribe("BTC-USD", .m1, maxRate: 10)
        // end
        return view
    }

    static func slow(_ client: StreamClient, store: (Bar) async throws -> Void) async throws {
        // snippet
        var skipped = 0
        for await event in client.subscribe("BTC-USD", .s1).events {
            if case .skipped(let count) = event { skipped += count }
            if case .candle(let bar) = event, bar.isFinal {
                try await store(bar)  // takes as long as it takes
                break
            }
        }
        print("\(skipped) updates were left out, no final candle was")
        // end
    }

    static func everything(_ client: StreamClient) -> StreamSubscription {
        // snippet
        let everything = client.subscribe("BTC-USD", .s1, maxRate: nil)
        // end
        return everything
    }

    static func conflate() -> Int {
        // snippet
        var list = ViewConflator<Double>(maxRate: 30)
        for price in [101.0, 102.0, 103.0] {
            _ = list.offer(price, kind: .tick, stream: 0)
        }
        list.drain(now: 0) { price, stream, skipped in
            print("row \(stream): \(price), \(skipped) merged")
        }
        // end
        return list.skippedTotal
    }

    // MARK: Testing with faults

    static func faults(serverPort: Int) async throws {
        // snippet
        let proxy = try await ChaosProxy.start(target: .init(port: serverPort), seed: 7)
        let client = try StreamClient(url: "ws://127.0.0.1:\(proxy.port)/v1/stream")
        client.connect()
        let stream = client.subscribe("BTC-USD", .s1, history: 10, maxRate: nil)
        var recoveries = 0
        for await event in stream.events {
            if case .snapshot(_, .first) = event { proxy.cutAll() }  // a TCP reset, in the middle of it all
            if case .subscribed(recovered: true) = event {
                recoveries += 1
                break
            }
        }
        #expect(recoveries == 1)
        await proxy.stop()
        // end
    }

    static func settings(_ proxy: ChaosProxy) {
        // snippet
        proxy.settings = ChaosSettings(drop: 0.01, delay: 0.05, jitter: 0.1)
        proxy.settings = ChaosSettings(refuse: 1)
        proxy.settings = .calm
        // end
    }

    static func clock() async throws {
        // snippet
        let clock = ManualClock()
        let task = Task {
            try await clock.sleep(for: .seconds(3600))
            return "an hour later"
        }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3600))
        #expect(try await task.value == "an hour later")
        // end
    }

    static func machine() throws {
        // snippet
        var session = StreamSession(seed: 1)
        session.connect(now: 0)
        guard case .open(let socket)? = session.nextAction() else { throw Unexpected() }
        session.refused(socket, status: 404, retryAfter: nil, now: 0.1)
        #expect(session.state == .failed(.refused(status: 404)))
        // end
    }
}
