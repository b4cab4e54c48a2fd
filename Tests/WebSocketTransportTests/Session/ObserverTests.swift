import MarketModel
import NIOCore
import StreamCore
import Testing
import WebSocketTransport

/// Many observers, slow ones, and those that go.
@Suite("Observers of a stream", .timeLimit(.minutes(15)))
struct ObserverTests {
    private static let start = 1_700_000_040.0

    private func client(_ url: String) throws -> StreamClient { try StreamClient(url: url, seed: 7) }

    private func snapshot(_ events: inout StreamEvents.Iterator) async -> ([Candle], SnapshotReason)? {
        while let event = await events.next() {
            if case .snapshot(let candles, let reason) = event { return (candles, reason) }
        }
        return nil
    }

    @Test("two observers share one subscription on the wire; the last one that goes ends it")
    func fanOut() async throws {
        try await ScriptedMarket.with { market, url in
            for minute in 0..<4 { market.trade(at: Self.start + 60 * Double(minute), 100) }
            let client = try client(url)
            client.connect()
            let first = client.subscribe("BTC-USD", .m1, history: 3, maxRate: nil)
            var firstEvents = first.events.makeAsyncIterator()
            #expect(await snapshot(&firstEvents)?.0.count == 3)

            // The second one begins with what is here, and less of it where it requests less.
            let second = client.subscribe("BTC-USD", .m1, history: 2, maxRate: nil)
            var secondEvents = second.events.makeAsyncIterator()
            let begin = await snapshot(&secondEvents)
            #expect(begin?.0.map(\.timestamp) == [Self.start + 120, Self.start + 180])
            #expect(begin?.1 == .first)
            #expect(await first.status()?.observers == 2)

            market.trade(at: Self.start + 200, 105)
            let tick = StreamEvent.tick(Tick(timestamp: Self.start + 200, price: 105, volume: 1))
            #expect(await firstEvents.next() == tick)
            #expect(await secondEvents.next() == tick)

            first.cancel()
            #expect(await first.status() == nil)
            market.trade(at: Self.start + 201, 106)
            var seen: [Double] = []
            while seen.last != 106, let event = await secondEvents.next() {
                if case .tick(let tick) = event { seen.append(tick.price) }
            }
            #expect(seen == [106])
            #expect(!market.log.noted.contains { $0.hasPrefix("unsubscribe") })
            second.cancel()
            await market.log.wait(for: "unsubscribe BTC-USD")
            #expect(market.log.noted.filter { $0 == "subscribe BTC-USD" }.count == 1)
            // What was delivered can be read, then both are at their end.
            while await firstEvents.next() != nil {}
            while await secondEvents.next() != nil {}
        }
    }

    @Test("an observer that requests more of the past gets it from the server")
    func moreHistory() async throws {
        try await ScriptedMarket.with { market, url in
            for minute in 0..<10 { market.trade(at: Self.start + 60 * Double(minute), 100) }
            let client = try client(url)
            client.connect()
            let small = client.subscribe("BTC-USD", .m1, history: 2, maxRate: nil)
            var smallEvents = small.events.makeAsyncIterator()
            #expect(await snapshot(&smallEvents)?.0.count == 2)
            let big = client.subscribe("BTC-USD", .m1, history: 8, maxRate: nil)
            var bigEvents = big.events.makeAsyncIterator()
            #expect(await snapshot(&bigEvents)?.0.count == 8)
            #expect(await snapshot(&smallEvents)?.0.count == 8)
        }
    }

    @Test("a task that is busy gets the latest and every final candle, and the count of the rest")
    func slowTask() async throws {
        try await ScriptedMarket.with { market, url in
            let client = try client(url)
            client.connect()
            let stream = client.subscribe("BTC-USD", .m1, history: 0)
            var events = stream.events.makeAsyncIterator()
            #expect(await snapshot(&events) != nil)
            // 100 minutes of 50 trades each, while the task does something else.
            let minutes = 100
            for minute in 0..<minutes {
                for second in 0..<50 { market.trade(at: Self.start + Double(60 * minute + second), Double(second + 1)) }
            }
            let messages = minutes * 50 * 2 + minutes - 1
            while await client.diagnostics().messageCount < messages + 2 { await Task.yield() }

            var finals: [Double] = []
            var skipped = 0
            var delivered = 0
            var lastTick: Tick?
            let last = Self.start + Double(60 * (minutes - 1) + 49)
            while lastTick?.timestamp != last || skipped + delivered < messages, let event = await events.next() {
                switch event {
                case .skipped(let count): skipped += count
                case .tick(let tick):
                    delivered += 1
                    #expect(tick.timestamp > lastTick?.timestamp ?? 0)
                    lastTick = tick
                case .candle(let bar):
                    delivered += 1
                    if bar.isFinal { finals.append(bar.candle.timestamp) }
                default: Issue.record("unexpected \(event)")
                }
            }
            #expect(finals == (0..<minutes - 1).map { Self.start + 60 * Double($0) })
            #expect(skipped + delivered == messages)
            // At most one tick and one forming candle a delivery, of which there were a few.
            #expect(delivered < messages / 10)
        }
    }

    @Test("more final candles than may wait become one snapshot that contains them")
    func muchTooSlowTask() async throws {
        try await ScriptedMarket.with { market, url in
            market.trade(at: Self.start, 1)
            let client = try client(url)
            client.connect()
            let stream = client.subscribe("BTC-USD", .m1, history: 1, maxRate: nil)
            var events = stream.events.makeAsyncIterator()
            #expect(await snapshot(&events) != nil)
            let minutes = 6000
            for minute in 1...minutes { market.trade(at: Self.start + 60 * Double(minute), Double(minute)) }
            while await client.diagnostics().messageCount < 3 * minutes + 2 { await Task.yield() }
            var skipped = 0
            var replacement: [Candle] = []
            while replacement.isEmpty, let event = await events.next() {
                switch event {
                case .skipped(let count): skipped += count
                case .snapshot(let candles, let reason):
                    #expect(reason == .behind)
                    replacement = candles
                default: break
                }
            }
            // What it replaces was reported before it, and it ends where the server is.
            #expect(skipped > minutes)
            #expect(replacement.last == market.series().last)
            #expect(replacement.count >= 1000)
            market.trade(at: Self.start + 60 * Double(minutes) + 1, 7)
            #expect(
                await events.next()
                    == .tick(Tick(timestamp: Self.start + 60 * Double(minutes) + 1, price: 7, volume: 1)))
        }
    }

    @Test("a view gets at most its rate, always the latest, and its candles are the server's")
    func rate() async throws {
        try await ScriptedMarket.with { market, url in
            market.trade(at: Self.start, 100)
            let client = try client(url)
            client.connect()
            let stream = client.subscribe("BTC-USD", .m1, maxRate: 20)
            let started = NIODeadline.now()
            var updates = 0
            var trades = 0
            for await series in stream.candles() {
                updates += 1
                if trades >= 200, series.last == market.series().last { break }
                guard trades < 200 else { continue }
                // Ten trades for every update that is seen.
                for _ in 0..<10 {
                    trades += 1
                    market.trade(at: Self.start + 7 * Double(trades), Double(100 + trades % 13))
                }
            }
            let seconds = Double((NIODeadline.now() - started).nanoseconds) / 1e9
            // A delivery brings a tick, a forming candle and the final ones: each changes the series once.
            let status = try #require(await stream.status())
            #expect(status.delivered < trades * 2)
            #expect(Double(updates) <= (seconds * 20 + 2) * 2 + Double(market.series().count))
            #expect(status.skipped > 0)
        }
    }

    @Test("pausing all observers stops the wire, and each one returns with one snapshot")
    func pause() async throws {
        try await ScriptedMarket.with { market, url in
            market.trade(at: Self.start, 100)
            let client = try client(url)
            client.connect()
            let one = client.subscribe("BTC-USD", .m1, maxRate: nil)
            let two = client.subscribe("BTC-USD", .m1, maxRate: nil)
            var oneEvents = one.events.makeAsyncIterator()
            var twoEvents = two.events.makeAsyncIterator()
            #expect(await snapshot(&oneEvents) != nil)
            #expect(await snapshot(&twoEvents) != nil)

            // One of two: the wire goes on, the local copy serves the return.
            one.pause()
            market.trade(at: Self.start + 1, 101)
            while let event = await twoEvents.next() {
                if case .candle(let bar) = event, bar.candle.close == 101 { break }
            }
            #expect(!market.log.noted.contains { $0.hasPrefix("unsubscribe") })
            one.resume()
            let local = await snapshot(&oneEvents)
            #expect(local?.1 == .resumed && local?.0.last?.close == 101)

            one.pause()
            two.pause()
            await market.log.wait(for: "unsubscribe BTC-USD")
            market.trade(at: Self.start + 60, 102)
            two.resume()
            let remote = await snapshot(&twoEvents)
            #expect(remote?.1 == .resumed && remote?.0.last?.open == 102)
            one.resume()
            #expect(await snapshot(&oneEvents)?.0.last?.open == 102)
        }
    }

    @Test("cancelling a task ends its sequence and nothing else")
    func cancellation() async throws {
        try await ScriptedMarket.with { market, url in
            market.trade(at: Self.start, 100)
            let client = try client(url)
            client.connect()
            let stream = client.subscribe("BTC-USD", .m1, maxRate: nil)
            let other = client.subscribe("BTC-USD", .m1, maxRate: nil)
            let reached = Happenings()
            let task = Task {
                for await event in stream.events {
                    if case .snapshot = event { reached.note("snapshot") }
                }
                return "ended"
            }
            await reached.wait(for: "snapshot")
            task.cancel()
            #expect(await task.value == "ended")
            var events = other.events.makeAsyncIterator()
            #expect(await snapshot(&events) != nil)
            #expect(client.state == .open)
        }
    }

    @Test("a client that is let go closes, its sequences end, and nothing of it stays")
    func release() async throws {
        try await ScriptedMarket.with { market, url in
            market.trade(at: Self.start, 100)
            weak var released: StreamClient?
            // Held by the configuration, and so by everything that is left of the client.
            weak var held: AnyObject?
            var states = AsyncStream<SessionState> { $0.finish() }.makeAsyncIterator()
            var events: StreamEvents.Iterator?
            do {
                let anchor = Happenings()
                held = anchor
                var configuration = StreamClientConfiguration()
                configuration.onEvent = { _ in anchor.note("event") }
                let client = try StreamClient(url: url, configuration: configuration)
                released = client
                states = client.states.makeAsyncIterator()
                client.connect()
                events = client.subscribe("BTC-USD", .m1).events.makeAsyncIterator()
                while let event = await events?.next() {
                    if case .snapshot = event { break }
                }
            }
            #expect(released == nil)
            await market.log.wait(for: "closed 1000")
            while await events?.next() != nil {}
            while await states.next() != nil {}
            events = nil
            // The last references go on the event loop.
            while held != nil { await Task.yield() }
        }
    }

    @Test("a subscription that is let go unsubscribes, one whose events are read stays")
    func releasedSubscription() async throws {
        try await ScriptedMarket.with { market, url in
            market.trade(at: Self.start, 100)
            let client = try client(url)
            client.connect()
            do {
                var events = client.subscribe("BTC-USD", .m1, maxRate: nil).events.makeAsyncIterator()
                #expect(await snapshot(&events) != nil)
                market.trade(at: Self.start + 1, 101)
                #expect(await events.next() != nil)
            }
            await market.log.wait(for: "unsubscribe BTC-USD")
        }
    }
}
