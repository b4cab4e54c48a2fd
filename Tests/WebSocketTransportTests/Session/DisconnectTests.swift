import MarketModel
import NIOCore
import NIOEmbedded
import StreamCore
import Testing
import WebSocketTransport

/// Without a network, on a clock that the test moves: nothing here waits for real.
@Suite("Disconnecting, on a clock of its own", .timeLimit(.minutes(15)))
struct DisconnectTests {
    enum Moment: CaseIterable {
        case idle, connecting, authenticating, waitingForToken, open, waiting, failed, closed
    }

    @Test("in every state it ends the connection, is reported once, and nothing comes back", arguments: Moment.allCases)
    func everyState(moment: Moment) async throws {
        let script = ScriptedConnector()
        var configuration = StreamClientConfiguration()
        if moment == .authenticating {
            configuration.token = { _ in "token" }
        } else if moment == .waitingForToken {
            configuration.token = { _ in
                try await Task.sleep(for: .seconds(3600))
                return ""
            }
        }
        let client = StreamClient(connector: script.connector, configuration: configuration, on: script.loop, seed: 3)
        _ = client.subscribe("BTC-USD", .m1)
        var states = client.states.makeAsyncIterator()
        #expect(await states.next() == .idle)
        if moment != .idle { client.connect() }

        var channel: NIOAsyncTestingChannel?
        switch moment {
        case .idle: break
        case .connecting: #expect(await states.next() == .connecting)
        case .waitingForToken: #expect(await states.next() == .authenticating)
        case .authenticating:
            #expect(await states.next() == .authenticating)
            #expect(await states.next() == .connecting)
            channel = try await script.open()
            #expect(await states.next() == .authenticating)
        case .open:
            #expect(await states.next() == .connecting)
            channel = try await script.open()
            #expect(await states.next() == .open)
        case .waiting:
            #expect(await states.next() == .connecting)
            script.fail(WebSocketClosedError())
            guard case .waiting? = await states.next() else {
                Issue.record("not waiting")
                return
            }
        case .failed:
            #expect(await states.next() == .connecting)
            channel = try await script.open()
            #expect(await states.next() == .open)
            try await channel?.writeInbound(wireFrame(.close, [0x10, 0x06]))
            guard case .failed? = await states.next() else {
                Issue.record("4102 is not final")
                return
            }
        case .closed:
            #expect(await states.next() == .connecting)
            client.disconnect()
            #expect(await states.next() == .closed)
        }

        let opened = script.count
        client.disconnect()
        client.disconnect()
        await script.waitUntilQuiet()
        // What never began does not end.
        if moment != .closed, moment != .idle { #expect(await states.next() == .closed) }
        // A socket that opens too late is closed at once, one that was open says goodbye.
        if moment == .connecting {
            let late = try await script.open()
            await script.waitUntilQuiet()
            #expect(!late.isActive)
        }
        if moment == .open {
            var sent: [UInt8] = []
            while let buffer = try await channel?.readOutbound(as: ByteBuffer.self) { sent += buffer.readableBytesView }
            // FIN and the opcode of a close frame.
            #expect(sent.contains(0x88))
        }
        // A day later nothing has happened.
        for _ in 0..<24 { await script.advance(by: .hours(1)) }
        #expect(client.state == (moment == .idle ? .idle : .closed))
        #expect(script.count == opened)
        try? await channel?.close()
    }

    @Test("a lost connection is tried again when its time has come, not before")
    func retriesOnTime() async throws {
        let script = ScriptedConnector()
        // Longer than the test moves the clock, so that only the waits count.
        var configuration = StreamClientConfiguration()
        configuration.session.connectTimeout = 3600
        let client = StreamClient(connector: script.connector, configuration: configuration, on: script.loop, seed: 3)
        var states = client.states.makeAsyncIterator()
        client.connect()
        await script.waitUntilQuiet()
        for attempt in 1...10 {
            #expect(script.count == attempt)
            script.fail(WebSocketClosedError())
            await script.waitUntilQuiet()
            // Full jitter: never later than the ceiling of the attempt.
            await script.advance(by: .seconds(Int64(min(1 << attempt, 30))))
            #expect(script.count == attempt + 1)
        }
        // Then once a minute, for as long as it takes.
        for slow in 0..<5 {
            script.fail(WebSocketClosedError())
            await script.waitUntilQuiet()
            await script.advance(by: .seconds(59))
            #expect(script.count == 11 + slow)
            await script.advance(by: .seconds(1))
            #expect(script.count == 12 + slow)
        }
        #expect(await client.diagnostics().session.isSlowRetry)
        script.fail(WebSocketClosedError())
        await script.waitUntilQuiet()
        client.retryNow()
        await script.waitUntilQuiet()
        #expect(script.count == 17)
        var connecting = 0
        while connecting < 17, let state = await states.next() {
            if state == .connecting { connecting += 1 }
        }
    }

    @Test("a peer that does not answer a ping is given up, and the next one is opened")
    func heartbeat() async throws {
        let script = ScriptedConnector()
        var configuration = StreamClientConfiguration()
        configuration.session.heartbeat = Heartbeat.Configuration(interval: 15, deadline: 10)
        let client = StreamClient(connector: script.connector, configuration: configuration, on: script.loop, seed: 3)
        client.connect()
        await script.waitUntilQuiet()
        let channel = try await script.open()
        await script.advance(by: .seconds(15))
        let ping = try #require(try await channel.readOutbound(as: ByteBuffer.self))
        #expect(ping.getInteger(at: 0, as: UInt8.self) == 0x89)
        try await channel.writeInbound(wireFrame(.pong, []))
        await script.advance(by: .seconds(15))
        #expect(client.state == .open)
        await script.advance(by: .seconds(10))
        #expect(!channel.isActive)
        #expect(await client.diagnostics().lastError == .heartbeatMissed)
        await script.advance(by: .seconds(2))
        #expect(script.count == 2)
    }

    @Test("a network that comes back ends the wait")
    func network() async throws {
        let script = ScriptedConnector()
        let client = StreamClient(connector: script.connector, on: script.loop, seed: 3)
        client.connect()
        await script.waitUntilQuiet()
        script.fail(WebSocketClosedError())
        await script.waitUntilQuiet()
        client.networkChanged(isAvailable: false)
        client.networkChanged(isAvailable: true)
        await script.waitUntilQuiet()
        #expect(script.count == 2)
    }
}
