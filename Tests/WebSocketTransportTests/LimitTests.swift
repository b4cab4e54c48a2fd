import NIOCore
import NIOEmbedded
import NIOHTTP1
import StreamCore
import Testing

@testable import WebSocketTransport

@Suite("Limits of a connection", .timeLimit(.minutes(15)))
struct LimitTests {
    let mask: UInt32 = 0x5EED_CAFE

    func socket(_ change: (inout WebSocketConfiguration) -> Void) throws -> EmbeddedSocket {
        var configuration = WebSocketConfiguration(limits: .server, keepAlive: nil, outboundLimit: 1 << 20)
        change(&configuration)
        return try EmbeddedSocket(.server, configuration: configuration)
    }

    @Test("the documented defaults are the real ones")
    func defaults() {
        let server = WebSocketConfiguration.server
        #expect(
            server.limits
                == WebSocketLimits(
                    frameBytes: 65_536, messageBytes: 65_536, fragmentsPerMessage: 1024, inflatedBytes: 65_536))
        #expect(server.messageRate == WebSocketMessageRate(messagesPerSecond: 100, burst: 1000))
        #expect(server.keepAlive?.interval == .seconds(20) && server.keepAlive?.timeout == .seconds(10))
        #expect(server.idleTimeout == nil && server.compression == nil)
        #expect(server.closeTimeout == .seconds(5) && server.outboundLimit == 4 << 20)
        let client = WebSocketConfiguration.client
        #expect(
            client.limits
                == WebSocketLimits(
                    frameBytes: 16 << 20, messageBytes: 16 << 20, fragmentsPerMessage: 131_072, inflatedBytes: 16 << 20)
        )
        #expect(client.messageRate == nil && client.idleTimeout == nil && client.keepAlive == nil)
        #expect(client.outboundLimit == 32 << 20)
    }

    @Test("a peer that sends too many messages is closed with 4009, pings counted")
    func messageRate() throws {
        let socket = try socket { $0.messageRate = WebSocketMessageRate(messagesPerSecond: 10, burst: 5) }
        for number in 1...4 { try socket.receive(wireFrame(.text, "\(number)", mask: mask)) }
        try socket.receive(wireFrame(.ping, "", mask: mask))
        // One more in a tenth of a second, for as long as one likes.
        for number in 5...50 {
            socket.loop.advanceTime(by: .milliseconds(100))
            try socket.receive(wireFrame(.text, "\(number)", mask: mask))
        }
        #expect(socket.log.count == 51)
        try socket.receive(wireFrame(.text, "too many", mask: mask), wireFrame(.text, "late", mask: mask))
        #expect(try socket.sent() == ["pong []", "close 4009 too many messages a second"])
        #expect(socket.log.last == "closed 4009 too many messages a second")
        #expect(socket.log.count == 52)
    }

    @Test("messages that wait for a paused reader count when they come")
    func messageRateWhilePaused() throws {
        let socket = try socket { $0.messageRate = WebSocketMessageRate(messagesPerSecond: 1, burst: 2) }
        socket.handler.pauseReading()
        for _ in 0..<3 { try socket.receive(wireFrame(.text, "x", mask: mask)) }
        #expect(try socket.sent() == ["close 4009 too many messages a second"])
        #expect(socket.log == ["closed 4009 too many messages a second"])
    }

    @Test("a peer from which nothing comes is closed with 4001 and a reason")
    func idle() throws {
        let socket = try socket { $0.idleTimeout = .seconds(30) }
        for _ in 0..<5 {
            socket.loop.advanceTime(by: .seconds(29))
            try socket.receive(wireFrame(.pong, "", mask: mask))
        }
        socket.loop.advanceTime(by: .milliseconds(29_999))
        #expect(try socket.sent() == [])
        socket.loop.advanceTime(by: .milliseconds(1))
        #expect(try socket.sent() == ["close 4001 nothing received for too long"])
        socket.loop.advanceTime(by: .seconds(5))
        #expect(socket.log.last == "closed 1006 no answer to the close frame")
        #expect(!socket.channel.isActive)
    }

    @Test("while the application does not want to read, silence means nothing")
    func idleWhilePaused() throws {
        let socket = try socket { $0.idleTimeout = .seconds(30) }
        socket.handler.pauseReading()
        socket.loop.advanceTime(by: .seconds(300))
        #expect(try socket.sent() == [])
        socket.handler.resumeReading()
        socket.loop.advanceTime(by: .seconds(60))
        #expect(try socket.sent() == ["close 4001 nothing received for too long"])
    }

    @Test("connections of one address are counted until they close")
    func perAddress() async throws {
        var upgrade = WebSocketServerUpgrade.echo()
        let limit = WebSocketConnectionLimit(perAddress: 2, countsLoopback: true, retryAfterSeconds: 7)
        upgrade.connectionLimit = limit
        try await LoopbackServer.with(upgrade) { server in
            let first = try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            let second = try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            #expect(limit.addressCount == 1)
            let error = await #expect(throws: WebSocketUpgradeError.self) {
                try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            }
            #expect(error?.status == .tooManyRequests)
            #expect(error?.headers.first(name: "Retry-After") == "7")
            #expect(limit.refusals.address == 1 && limit.refusals.total == 0)
            await first.close()
            // The server sees the end a moment after the client.
            var third: WebSocketConnection?
            while third == nil {
                do {
                    third = try await WebSocketConnector.connect(url: server.url, timeout: .patient)
                } catch is WebSocketUpgradeError {}
            }
            await second.close()
            await third?.close()
            while limit.addressCount > 0 { await Task.yield() }
        }
    }

    static let addresses: [(String, String, Bool)] = [
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true), ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ("192.0.2.1", "::ffff:192.0.2.1", true),
    ]

    @Test("addresses that one peer has count as one", arguments: addresses.indices)
    func keys(index: Int) throws {
        let (first, second, isSame) = Self.addresses[index]
        let address = try #require(IPAddress(try SocketAddress(ipAddress: first, port: 1)))
        let other = try #require(IPAddress(try SocketAddress(ipAddress: second, port: 2)))
        #expect((address.subscriber == other.subscriber) == isSame)
        #expect(!address.isLoopback && !other.isLoopback)
    }

    @Test("the machine's own addresses are known", arguments: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
    func loopback(address: String) throws {
        #expect(IPAddress(try SocketAddress(ipAddress: address, port: 1))?.isLoopback == true)
    }

    static let tooLarge: [(String, String)] = [
        ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 20_000) + "\r\n\r\n", "431"),
        (
            "GET / HTTP/1.1\r\nHost: a\r\n"
                + (0..<101).map { "X\($0): y\r\n" }.joined() + "\r\n", "431"
        ),
        (
            "GET / HTTP/1.1\r\nHost: a\r\n"
                + (0..<9).map { "X\($0): " + String(repeating: "y", count: 8000) + "\r\n" }.joined() + "\r\n", "431"
        ),
        ("SSH-2.0-OpenSSH_9.2\r\n\r\n", "400"),
    ]

    @Test("a head that is too large is answered 431, one that is none 400", arguments: tooLarge.indices)
    func headSize(index: Int) async throws {
        let (request, status) = Self.tooLarge[index]
        try await LoopbackServer.with(.echo()) { server in
            let answer = try await HandshakeTests.exchange(request, with: server)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(200))")
        }
    }

    @Test("a client without a request in time is answered 408", arguments: ["", "GET / HTTP/1.1\r\nHost: a\r\n"])
    func requestTime(start: String) async throws {
        var answer = ""
        // On a busy machine the client may come to its first byte only after the connection's end.
        for limit in [300, 2000, 8000] where answer.isEmpty {
            var upgrade = WebSocketServerUpgrade.echo()
            upgrade.requestTimeout = .milliseconds(Int64(limit))
            try await LoopbackServer.with(upgrade) { server in
                do { answer = try await HandshakeTests.exchange(start, with: server) } catch is IOError, is ChannelError
                {}
            }
        }
        #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
    }

    @Test(
        "a client that connects to a TLS port and never finishes a handshake is disconnected",
        arguments: [[], [0x16, 3, 1, 2, 0]])
    func requestTimeOverTLS(start: [UInt8]) async throws {
        var upgrade = WebSocketServerUpgrade.echo()
        upgrade.requestTimeout = .milliseconds(300)
        try await LoopbackServer.secure(upgrade) { server in
            // It ends by itself where the server closes; otherwise the suite's time limit ends it.
            var answer = ""
            do {
                answer = try await HandshakeTests.exchange(String(decoding: start, as: UTF8.self), with: server)
            } catch is IOError, is ChannelError {
                // Let go before the busy client came to its first byte.
            }
            #expect(!answer.contains("HTTP"))
        }
    }

    @Test("a refusal does not wait for a body that never comes")
    func refusalWithoutBody() async throws {
        let request =
            "POST / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 10\r\n\r\n"
        try await LoopbackServer.with(.echo()) { server in
            let answer = try await HandshakeTests.exchange(request, with: server)
            #expect(answer.hasPrefix("HTTP/1.1 405 "), "\(answer)")
        }
    }

    @Test("a malformed list of extensions is a bad request")
    func malformedExtensions() async throws {
        let request =
            "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Extensions: permessage-deflate;;\r\n\r\n"
        try await LoopbackServer.with(.echo()) { server in
            let answer = try await HandshakeTests.exchange(request, with: server)
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
        }
    }
}
