import StreamCore
import Testing
import WebSocketTransport

/// Channels against a real server on the loopback interface.
@Suite("Channels of a client", .timeLimit(.minutes(15)))
struct ChannelTests {
    private let orders = ChannelKey(.orders)

    private func client(_ url: String) throws -> StreamClient {
        var configuration = StreamClientConfiguration()
        configuration.session.backoff = Backoff.Configuration(base: 0.005, cap: 0.05, attempts: 1000)
        configuration.session.connectTimeout = 60
        configuration.session.heartbeat = Heartbeat.Configuration(interval: 60, deadline: 60)
        return try StreamClient(url: url, configuration: configuration, seed: 7)
    }

    /// The part of a scripted message that the test chose.
    private func what(_ message: ChannelMessage) -> Substring {
        let start = message.text.firstRange(of: "\"what\":\"")?.upperBound ?? message.text.endIndex
        return message.text[start...].prefix { $0 != "\"" }
    }

    @Test("a channel begins with a snapshot and goes on live, each message with its head and its text as it came")
    func follows() async throws {
        try await ScriptedMarket.with { market, url in
            market.publish(orders, "o1")
            let client = try client(url)
            let channel = client.channel(.orders)
            #expect(channel.key.account == "paper-main")
            #expect(await channel.state() == .waiting)
            client.connect()
            var events = channel.events.makeAsyncIterator()
            #expect(await events.next() == .subscribed(sequence: 1))
            #expect(await channel.state() == .live)
            var messages = channel.messages.makeAsyncIterator()
            let snapshot = try #require(try await messages.next())
            #expect(
                snapshot.head == ChannelHead(type: "snapshot", channel: .orders, account: "paper-main", sequence: 1))
            #expect(
                snapshot.text
                    == #"{"type":"snapshot","channel":"orders","account":"paper-main","sequence":1,"what":"o1"}"#)
            market.publish(ChannelKey(.orders, account: "paper-other"), "not ours")
            market.publish(ChannelKey(.health), "not requested")
            market.publish(orders, "o2")
            let order = try #require(try await messages.next())
            #expect(order.head.type == "orders" && order.head.sequence == 2 && what(order) == "o2")
            #expect(await client.diagnostics().session.liveChannels == 1)
        }
    }

    @Test("after each lost connection the snapshot comes first, and it holds what was missed")
    func returns() async throws {
        try await ScriptedMarket.with { market, url in
            let client = try client(url)
            client.connect()
            let channel = client.channel(.orders)
            var events = channel.events.makeAsyncIterator()
            #expect(await events.next() == .subscribed(sequence: 0))
            var seen: [Substring] = []
            for round in 1...5 {
                market.publish(orders, "a\(round)")
                market.drop()
                market.publish(orders, "b\(round)")
                // The first one may have been lost with the connection, and may not.
                var isBack = false
                while !isBack, let event = await events.next() {
                    switch event {
                    case .message(let message): seen.append(what(message))
                    case .subscribed: isBack = true
                    default: Issue.record("unexpected \(event)")
                    }
                }
                guard case .message(let message)? = await events.next() else {
                    Issue.record("no snapshot")
                    return
                }
                #expect(message.head.type == "snapshot")
                seen = what(message).split(separator: " ")
                // Sent while there was no reader, or right after the snapshot.
                if seen.last != "b\(round)", case .message(let message)? = await events.next() {
                    seen.append(what(message))
                }
                #expect(seen == (1...round).flatMap { ["a\($0)", "b\($0)"] })
            }
        }
    }

    @Test("a refusal is reported, and ends the messages with an error that explains it")
    func refused() async throws {
        try await ScriptedMarket.with { _, url in
            let client = try client(url)
            client.connect()
            let channel = client.channel(.portfolio, account: "paper-nobody")
            var messages = channel.messages.makeAsyncIterator()
            let refusal = ChannelRefused(
                key: ChannelKey(.portfolio, account: "paper-nobody"), code: "unknown_account",
                message: "There is no such account.")
            await #expect(throws: refusal) { try await messages.next() }
            #expect("\(refusal)" == "portfolio: There is no such account. (unknown_account)")
            #expect(
                await channel.state()
                    == .refused(SessionRefusal(code: "unknown_account", message: "There is no such account.")))
            // Requested again, it is refused again.
            channel.refresh()
            await #expect(throws: refusal) { try await messages.next() }
        }
    }

    @Test("observers share one channel on the wire; a later one begins with a snapshot, the last one ends it")
    func shared() async throws {
        try await ScriptedMarket.with { market, url in
            let client = try client(url)
            client.connect()
            let first = client.channel(.orders)
            var firstEvents = first.events.makeAsyncIterator()
            #expect(await firstEvents.next() == .subscribed(sequence: 0))
            _ = await firstEvents.next()
            market.publish(orders, "o1")
            guard case .message(let order)? = await firstEvents.next() else {
                Issue.record("no order")
                return
            }
            #expect(what(order) == "o1")

            let second = client.channel(.orders, account: "paper-main")
            var secondEvents = second.events.makeAsyncIterator()
            #expect(await secondEvents.next() == .subscribed(sequence: 1))
            let snapshot = await secondEvents.next()
            // The first one gets that snapshot too: it says nothing new.
            #expect(await firstEvents.next() == .subscribed(sequence: 1))
            #expect(await firstEvents.next() == snapshot)

            first.cancel()
            #expect(await first.state() == nil)
            market.publish(orders, "o2")
            guard case .message(let later)? = await secondEvents.next() else {
                Issue.record("no order")
                return
            }
            #expect(what(later) == "o2")
            #expect(!market.log.noted.contains("unsubscribe orders"))
            second.cancel()
            await market.log.wait(for: "unsubscribe orders")
            #expect(await firstEvents.next() == nil)
            #expect(await secondEvents.next() == nil)
        }
    }

    @Test("a channel that is let go is unsubscribed; the client's end ends its sequences")
    func ends() async throws {
        try await ScriptedMarket.with { market, url in
            var client: StreamClient? = try client(url)
            client?.connect()
            var events = client?.channel(.events).events.makeAsyncIterator()
            #expect(await events?.next() == .subscribed(sequence: 0))
            events = nil
            await market.log.wait(for: "unsubscribe events")
            let kept = try #require(client?.channel(.health))
            var keptEvents = kept.events.makeAsyncIterator()
            #expect(await keptEvents.next() == .subscribed(sequence: 0))
            client = nil
            while await keptEvents.next() != nil {}
        }
    }

    @Test("a busy task finds the latest of a state, and every order")
    func busy() async throws {
        try await ScriptedMarket.with { market, url in
            let client = try client(url)
            client.connect()
            let health = client.channel(.health)
            var healthEvents = health.events.makeAsyncIterator()
            let channel = client.channel(.orders)
            var events = channel.events.makeAsyncIterator()
            #expect(await healthEvents.next() == .subscribed(sequence: 0))
            #expect(await events.next() == .subscribed(sequence: 0))
            let count = 500
            for number in 1...count {
                market.publish(ChannelKey(.health), "h\(number)")
                market.publish(orders, "o\(number)")
            }
            while await client.diagnostics().messageCount < 2 * count + 4 { await Task.yield() }
            var seen: [Substring] = []
            while seen.last != "o\(count)", case .message(let message)? = await events.next() {
                if message.head.type != "snapshot" { seen.append(what(message)) }
            }
            #expect(seen == (1...count).map { "o\($0)" })
            var states: [Substring] = []
            while states.last != "h\(count)", case .message(let message)? = await healthEvents.next() {
                states.append(what(message))
            }
            // What was handed over with the start, and then the newest.
            #expect(states.count <= 3, "\(states)")
        }
    }

    @Test("more orders than may wait are reported as skipped, and a new snapshot holds them", arguments: [0, 100_000])
    func muchTooSlow(padding: Int) async throws {
        try await ScriptedMarket.with { market, url in
            let client = try client(url)
            client.connect()
            let channel = client.channel(.orders)
            var events = channel.events.makeAsyncIterator()
            #expect(await events.next() == .subscribed(sequence: 0))
            // By number, or by weight.
            let count = padding == 0 ? 6000 : 200
            for number in 1...count { market.publish(orders, "o\(number)", padding: padding) }
            while await client.diagnostics().messageCount < count + 2 { await Task.yield() }
            var seen = 0
            var skipped = 0
            var orders: [Substring] = []
            while orders.isEmpty, let event = await events.next() {
                switch event {
                case .message(let message) where message.head.type == "snapshot":
                    orders = what(message).split(separator: " ")
                case .message: seen += 1
                case .skipped(let number): skipped += number
                case .subscribed(let sequence): #expect(sequence == Int64(count))
                case .refused: Issue.record("refused")
                }
            }
            #expect(skipped > 0 && skipped + seen >= count)
            #expect(orders.count == count)
            market.publish(self.orders, "last")
            guard case .message(let last)? = await events.next() else {
                Issue.record("no order")
                return
            }
            #expect(what(last) == "last")
        }
    }

    @Test("in an app that is hidden orders go on, and a state returns with a snapshot")
    func hidden() async throws {
        try await ScriptedMarket.with { market, url in
            let client = try client(url)
            client.connect()
            let positions = client.channel(.positions)
            var positionEvents = positions.events.makeAsyncIterator()
            let channel = client.channel(.orders)
            var events = channel.events.makeAsyncIterator()
            #expect(await positionEvents.next() == .subscribed(sequence: 0))
            #expect(await events.next() == .subscribed(sequence: 0))
            client.setHidden(true)
            await market.log.wait(for: "unsubscribe positions")
            #expect(await positions.state() == .paused)
            market.publish(ChannelKey(.positions), "p1")
            market.publish(orders, "o1")
            var seen: [Substring] = []
            while seen.last != "o1", case .message(let message)? = await events.next() { seen.append(what(message)) }
            client.setHidden(false)
            var states: [Substring] = []
            while states.last != "p1", let event = await positionEvents.next() {
                if case .message(let message) = event { states.append(what(message)) }
            }
            #expect(await positions.state() == .live)
        }
    }
}
