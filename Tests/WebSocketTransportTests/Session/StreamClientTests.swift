import MarketModel
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import StreamCore
import Testing
import WebSocketTransport

/// Against a real server on the loopback interface.
@Suite("A client that stays", .timeLimit(.minutes(15)))
struct StreamClientTests {
    private static let start = 1_700_000_040.0

    /// Comes back fast, so that tests do too.
    private static var quick: StreamClientConfiguration {
        var configuration = StreamClientConfiguration()
        configuration.session.backoff = Backoff.Configuration(base: 0.005, cap: 0.05, attempts: 1000)
        configuration.session.connectTimeout = 60
        configuration.session.heartbeat = Heartbeat.Configuration(interval: 60, deadline: 60)
        return configuration
    }

    private func client(_ url: String, _ configuration: StreamClientConfiguration = quick) throws -> StreamClient {
        try StreamClient(url: url, configuration: configuration, seed: 7)
    }

    @Test("each state is reported once, the present one first")
    func states() async throws {
        try await ScriptedMarket.with { market, url in
            let client = try client(url)
            var states = client.states.makeAsyncIterator()
            #expect(await states.next() == .idle)
            client.connect()
            #expect(await states.next() == .connecting)
            #expect(await states.next() == .open)
            #expect(client.state == .open)
            var late = client.states.makeAsyncIterator()
            #expect(await late.next() == .open)
            // Once more is no change.
            client.connect()
            client.disconnect()
            #expect(await states.next() == .closed)
            #expect(await late.next() == .closed)
            await market.log.wait(for: "closed 1000")
            client.connect()
            #expect(await states.next() == .connecting)
            #expect(await states.next() == .open)
        }
    }

    @Test("a stream begins with its past and goes on live; the candles are the server's")
    func subscribes() async throws {
        try await ScriptedMarket.with { market, url in
            for minute in 0..<5 { market.trade(at: Self.start + 60 * Double(minute), 100 + Double(minute)) }
            let client = try client(url)
            client.connect()
            let stream = client.subscribe("BTC-USD", .m1, history: 3, maxRate: nil)
            var events = stream.events.makeAsyncIterator()
            #expect(await events.next() == .subscribed(recovered: false))
            guard case .snapshot(let candles, .first)? = await events.next() else {
                Issue.record("no snapshot")
                return
            }
            #expect(candles.map(\.open) == [102, 103, 104])
            market.trade(at: Self.start + 250, 90)
            market.trade(at: Self.start + 300, 91)
            let tick = Tick(timestamp: Self.start + 250, price: 90, volume: 1)
            #expect(await events.next() == .tick(tick))
            guard case .candle(let forming)? = await events.next(), case .candle(let final)? = await events.next()
            else {
                Issue.record("no candles")
                return
            }
            #expect(!forming.isFinal && final.isFinal)
            #expect(final.candle == forming.candle)
            #expect(final.candle.low == 90 && final.candle.volume == 2)

            let status = try #require(await stream.status())
            #expect(status.stream.state == .live)
            #expect(status.observers == 1)
            let diagnostics = await client.diagnostics()
            #expect(diagnostics.isConnected && diagnostics.reconnectAttempts == 0 && diagnostics.lastError == nil)
            #expect(diagnostics.messageCount >= 5 && diagnostics.session.live == 1)
            #expect(diagnostics.session.openSince ?? 0 > 1_600_000_000 && diagnostics.uptime > 0)
        }
    }

    @Test("after a lost connection what was missed follows, and every final candle comes once")
    func recovers() async throws {
        try await ScriptedMarket.with { market, url in
            let client = try client(url)
            client.connect()
            let stream = client.subscribe("BTC-USD", .m1, maxRate: nil)
            var events = stream.events.makeAsyncIterator()
            var live = LiveCandles(timeframe: .m1)
            var finals: [Double] = []
            var recoveries = 0
            market.trade(at: Self.start, 100)
            var minute = 0
            while minute < 40 {
                guard let event = await events.next() else { break }
                live.apply(event)
                if case .subscribed(recovered: true) = event { recoveries += 1 }
                if case .candle(let bar) = event, bar.isFinal { finals.append(bar.candle.timestamp) }
                // Each time the client has all there is, the connection goes, and the market goes on meanwhile.
                guard live.isComplete, live.series.last == market.series().last else { continue }
                minute += 1
                if minute % 4 == 0 { market.drop() }
                market.trade(at: Self.start + 60 * Double(minute), Double(100 + minute % 7))
                market.trade(at: Self.start + 60 * Double(minute) + 1, Double(100 + minute % 5))
            }
            #expect(recoveries >= 5)
            #expect(finals == (0..<finals.count).map { Self.start + 60 * Double($0) })
            #expect(finals.count >= 38)
            let diagnostics = await client.diagnostics()
            #expect(diagnostics.session.recovered == recoveries)
            #expect(diagnostics.session.reloaded == 0 && diagnostics.session.gaps == 0)
        }
    }

    @Test("where the server does not remember, the past is loaded again and the application knows")
    func reloads() async throws {
        try await ScriptedMarket.with { market, url in
            let client = try client(url)
            client.connect()
            let stream = client.subscribe("BTC-USD", .m1, maxRate: nil)
            var events = stream.events.makeAsyncIterator()
            market.trade(at: Self.start, 100)
            while let event = await events.next() {
                if case .snapshot(_, let reason) = event {
                    #expect(reason == .first)
                    break
                }
            }
            // Nothing is sent in the new epoch before the connection is gone.
            market.restart()
            market.drop()
            while let event = await events.next() {
                if case .snapshot(let candles, let reason) = event {
                    #expect(reason == .reloaded)
                    #expect(candles.map(\.open) == [100])
                    break
                }
            }
            market.trade(at: Self.start + 60, 101)
            while let event = await events.next() {
                if case .tick(let tick) = event {
                    #expect(tick.price == 101)
                    break
                }
            }
            #expect(await client.diagnostics().session.reloaded == 1)
        }
    }

    @Test("an unknown symbol is refused as an event, and the others go on")
    func refusedSymbol() async throws {
        try await ScriptedMarket.with { market, url in
            market.trade(at: Self.start, 100)
            let client = try client(url)
            client.connect()
            var bad = client.subscribe("XYZ", .m1).events.makeAsyncIterator()
            #expect(await bad.next() == .refused(code: "unknown_symbol", message: "There is no such symbol."))
            var good = client.subscribe("BTC-USD", .m1).events.makeAsyncIterator()
            #expect(await good.next() == .subscribed(recovered: false))
            #expect(client.state == .open)
        }
    }

    @Test("a handshake that fails for good ends the attempts, one that fails for now does not")
    func refusedHandshake() async throws {
        try await ScriptedMarket.with { market, url in
            market.refuse(.serviceUnavailable, .tooManyRequests, .notFound)
            let client = try client(url)
            client.connect()
            var waits = 0
            for await state in client.states {
                if case .waiting(let until) = state {
                    waits += 1
                    #expect(until > 1_600_000_000)
                }
                if case .failed(let failure) = state {
                    #expect(failure == .refused(status: 404))
                    break
                }
            }
            #expect(waits == 2)
            client.connect()
            for await state in client.states where state == .open { break }
        }
    }

    @Test("a close code decides whether the client comes back")
    func closeCodes() async throws {
        try await ScriptedMarket.with { market, url in
            let client = try client(url)
            client.connect()
            await market.log.wait(for: "open")
            for code in [WebSocketCloseCode.normal, .goingAway, .slowReader] {
                market.close(code)
                await market.log.wait(for: "open")
            }
            for await state in client.states where state == .open { break }
            market.close(.forbidden, reason: "no")
            for await state in client.states {
                if case .failed(let failure) = state {
                    #expect(failure == .closeCode(.forbidden, reason: "no"))
                    break
                }
            }
        }
    }

    @Test("a server that announces its end announces when to come back")
    func announcedEnd() async throws {
        try await ScriptedMarket.with { market, url in
            let announced = Happenings()
            var configuration = Self.quick
            configuration.onEvent = { if case .closing(let after) = $0 { announced.note("closing \(after)") } }
            let client = try client(url, configuration)
            client.connect()
            var states = client.states.makeAsyncIterator()
            while let state = await states.next(), state != .open {}
            await market.log.wait(for: "open")
            let before = NIODeadline.now()
            market.say(#"{"type":"closing","reconnect_after":0.75}"#)
            await announced.wait(for: "closing 0.75")
            market.close(.goingAway)
            guard case .waiting? = await states.next() else {
                Issue.record("the client does not wait")
                return
            }
            #expect(await states.next() == .connecting)
            #expect(NIODeadline.now() - before > .milliseconds(740))
            #expect(await states.next() == .open)
        }
    }

    @Test("a token that the server refuses is fetched anew, once, and never shown")
    func tokens() async throws {
        try await ScriptedMarket.with { market, url in
            market.demand(token: "second-secret")
            let frames = Happenings()
            let requests = NIOLockedValueBox<[Bool]>([])
            var configuration = Self.quick
            configuration.token = { wasRejected in
                requests.withLockedValue { $0.append(wasRejected) }
                return wasRejected ? "second-secret" : "first-secret"
            }
            configuration.onFrame = { frames.note($0.description) }
            let client = try client(url, configuration)
            client.connect()
            for await state in client.states where state == .open { break }
            #expect(requests.withLockedValue { $0 } == [false, true])

            // A newer one renews the open connection.
            market.demand(token: "third-secret")
            client.setToken("third-secret")
            await market.log.wait(for: "auth")
            for _ in 0..<2 { await market.log.wait(for: "auth") }
            #expect(client.state == .open)
            #expect(market.log.noted.filter { $0 == "open" }.count == 2)
            #expect(frames.noted.contains { $0.contains("auth") })
            #expect(!frames.noted.contains { $0.contains("secret") })

            // The provider has nothing better: the end.
            configuration.token = { _ in "wrong" }
            let hopeless = try StreamClient(url: url, configuration: configuration, seed: 1)
            hopeless.connect()
            for await state in hopeless.states {
                if case .failed(let failure) = state {
                    #expect(failure == .unauthorized)
                    break
                }
            }
        }
    }

    @Test("a token service that is down for a while is tried again")
    func tokenService() async throws {
        struct Down: Error {}
        try await ScriptedMarket.with { market, url in
            market.demand(token: "good")
            let requests = NIOLockedValueBox(0)
            var configuration = Self.quick
            configuration.token = { _ in
                let count = requests.withLockedValue { count in
                    count += 1
                    return count
                }
                if count < 4 { throw Down() }
                return "good"
            }
            let client = try client(url, configuration)
            client.connect()
            for await state in client.states {
                if case .failed = state { Issue.record("gave up") }
                if state == .open { break }
            }
            #expect(requests.withLockedValue { $0 } == 4)
        }
    }

    @Test("connections are replaced one by the other, without a hole, a repetition or a word")
    func rotation() async throws {
        try await ScriptedMarket.with { market, url in
            var configuration = Self.quick
            configuration.session.rotation = 0.05
            let client = try client(url, configuration)
            client.connect()
            let stream = client.subscribe("BTC-USD", .m1, maxRate: nil)
            var live = LiveCandles(timeframe: .m1)
            var opens: [Double] = []
            var seconds = 0.0
            market.trade(at: Self.start, 100)
            for await event in stream.events {
                live.apply(event)
                if case .tick(let tick) = event { opens.append(tick.timestamp) }
                if case .subscribed(let recovered) = event { #expect(opens.isEmpty && !recovered) }
                #expect(event != .gap)
                guard live.isComplete, live.series.last == market.series().last else { continue }
                if opens.count > 3, await client.diagnostics().session.rotations >= 3 { break }
                seconds += 1
                market.trade(at: Self.start + seconds, 100 + seconds.truncatingRemainder(dividingBy: 9))
            }
            // From the first live one on, every tick once.
            #expect(opens.count > 3)
            for (a, b) in zip(opens, opens.dropFirst()) { #expect(b == a + 1) }
            #expect(client.state == .open)
            #expect(await client.diagnostics().session.connects == 1)
        }
    }
}
