import NIOCore
import Synchronization
import TestKit
import Testing

@Suite("ChaosProxy", .timeLimit(.minutes(15)))
struct ChaosProxyTests {
    /// A proxy in front of a server, and a client behind it.
    static func with(
        _ behaviour: TCPServer.Behaviour = .echo, _ settings: ChaosSettings = .calm,
        onEvent: (@Sendable (ChaosEvent) -> Void)? = nil,
        _ body: (ChaosProxy, TCPPeer) async throws -> Void
    ) async throws {
        let server = try await TCPServer.start(behaviour)
        let proxy = try await ChaosProxy.start(
            target: .init(port: server.port), settings: settings, seed: 3, onEvent: onEvent)
        let client = try await TCPPeer.connect(port: proxy.port)
        // The kernel connects before the proxy accepts: what a test sets from here on holds for later connections only.
        #expect(await patiently { proxy.counts.accepted == 1 })
        try await body(proxy, client)
        await proxy.stop()
        try await server.channel.close()
    }

    static func noise(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: 8)
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    @Test("what goes in comes out, and a half that ends ends on the other side too")
    func transparent() async throws {
        try await Self.with { proxy, client in
            let bytes = Self.noise(3_000_000)
            try await client.send(bytes)
            try await client.channel.close(mode: .output)
            #expect(await client.until { $0.hasEnded || $0.isClosed })
            #expect(client.now.bytes == bytes)
            #expect(await patiently { proxy.counts.open == 0 })
            #expect(proxy.counts.bytesUp == bytes.count && proxy.counts.bytesDown == bytes.count)
            #expect(proxy.counts.closed == 1 && proxy.counts.cut == 0)
        }
    }

    @Test("delay, jitter and throttle change when bytes come, not which")
    func late() async throws {
        try await Self.with(.echo, ChaosSettings(delay: 0.02, jitter: 0.03, throttle: 400_000)) { _, client in
            let bytes = Self.noise(200_000)
            let start = ContinuousClock.now
            try await client.send(bytes)
            #expect(await client.until { $0.bytes.count == bytes.count })
            #expect(client.now.bytes == bytes)
            #expect(ContinuousClock.now - start > .seconds(0.45), "200 kB at 400 kB/s, less the first twentieth")
        }
    }

    @Test("after so many bytes both sides are reset, and those bytes arrived", arguments: [1, 1000, 70_001])
    func cutAfter(count: Int) async throws {
        let events = Mutex<[ChaosEvent]>([])
        let settings = ChaosSettings(cutAfter: count, direction: .down)
        try await Self.with(.echo, settings, onEvent: { event in events.withLock { $0.append(event) } }) {
            proxy, client in
            let bytes = Self.noise(200_000)
            try? await client.send(bytes)
            #expect(await client.until(\.isClosed))
            #expect(client.now.bytes == Array(bytes[..<count]))
            #expect(!client.now.hasEnded, "a reset, no farewell")
            #expect(await patiently { proxy.counts.cut == 1 })
            let cuts = events.withLock { $0 }.filter {
                if case .cut(1, .cutAfter, _) = $0 { true } else { false }
            }
            #expect(cuts.count == 1)
        }
    }

    @Test("a peer that vanished: some bytes, then nothing, and nothing is closed")
    func halfOpen() async throws {
        try await Self.with(.echo, ChaosSettings(halfOpenAfter: 100)) { proxy, client in
            try await client.send(Self.noise(60))
            #expect(await client.until { $0.bytes.count == 60 })
            try await client.send(Self.noise(60))
            #expect(await patiently { proxy.counts.halfOpened == 1 })
            // Far more than every buffer on the way: it is swallowed, not held.
            try await client.send([UInt8](repeating: 7, count: 20_000_001))
            #expect(client.now.bytes.count < 120)
            #expect(!client.now.isClosed && !client.now.hasEnded)
            #expect(await patiently { proxy.counts.bytesLost > 20_000_000 })
            #expect(proxy.counts.open == 1)
            proxy.cutAll()
            #expect(await client.until(\.isClosed))
        }
    }

    @Test("a client can close a silent connection, and the other side does not notice")
    func silentClose() async throws {
        try await Self.with { proxy, client in
            try await client.send([1])
            #expect(await client.until { $0.bytes.count == 1 })
            proxy.halfOpenAll()
            #expect(await patiently { proxy.counts.halfOpened == 1 })
            try await client.channel.close()
            let second = try await TCPPeer.connect(port: proxy.port)
            try await second.send([2])
            #expect(await second.until { $0.bytes == [2] }, "new connections are as the settings say")
            #expect(proxy.counts.open == 2, "the target's side of the silent one is still there")
        }
    }

    @Test("a receiver that does not read holds up the sender, not the proxy's memory")
    func bounded() async throws {
        try await Self.with(.deaf) { proxy, client in
            let sending = Task { try await client.send([UInt8](repeating: 7, count: 64 << 20)) }
            #expect(await patiently { proxy.counts.bytesUp > 0 })
            // It stands still once the buffers on the way are full.
            var before = -1
            while proxy.counts.bytesUp != before {
                before = proxy.counts.bytesUp
                try await Task.sleep(for: .milliseconds(300))
            }
            #expect(proxy.counts.bytesUp < 32 << 20)
            #expect(proxy.counts.maxHeld <= ChaosProxy.bufferLimit + 65_536)
            proxy.cutAll()
            _ = await sending.result
        }
    }

    @Test("refused connections are reset at once; settings hold from when they are set")
    func refused() async throws {
        try await Self.with { proxy, _ in
            proxy.settings.refuse = 1
            // The reset may come while the connection is being set up or right after.
            if let client = try? await TCPPeer.connect(port: proxy.port) {
                #expect(await client.until(\.isClosed))
            }
            #expect(proxy.counts.refused == 1)
            proxy.settings.refuse = 0
            let second = try await TCPPeer.connect(port: proxy.port)
            try await second.send([1])
            #expect(await second.until { $0.bytes == [1] })
            proxy.settings.corrupt = 1
            try await second.send([1])
            #expect(await second.until { $0.bytes.count == 2 })
            #expect(proxy.counts.bytesCorrupted == 2, "on the way there and on the way back")
        }
    }

    @Test("a target that does not answer is reported, and the client is not left waiting")
    func unreachable() async throws {
        let server = try await TCPServer.start(.echo)
        let port = server.port
        try await server.channel.close()
        let proxy = try await ChaosProxy.start(target: .init(port: port))
        // The target may be found missing, and the client be reset, while it is still being set up.
        if let client = try? await TCPPeer.connect(port: proxy.port) {
            #expect(await client.until(\.isClosed))
        }
        #expect(await patiently { proxy.counts.unreachable == 1 && proxy.counts.open == 0 })
        await proxy.stop()
        await #expect(throws: (any Error).self) { try await TCPPeer.connect(port: proxy.port) }
    }

    @Test("one of several is cut, then all")
    func cutting() async throws {
        try await Self.with { proxy, first in
            var clients = [first]
            for _ in 0..<4 { clients.append(try await TCPPeer.connect(port: proxy.port)) }
            for client in clients {
                try await client.send([9])
                #expect(await client.until { $0.bytes == [9] })
            }
            #expect(proxy.cutOne())
            #expect(await patiently { clients.count { $0.now.isClosed } == 1 })
            #expect(proxy.cutAll() == 4)
            #expect(await patiently { clients.allSatisfy { $0.now.isClosed } })
            #expect(proxy.counts.cut == 5 && proxy.counts.open == 0)
            #expect(!proxy.cutOne())
        }
    }
}
