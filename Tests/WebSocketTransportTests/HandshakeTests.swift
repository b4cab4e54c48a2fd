import NIOCore
import NIOHTTP1
import NIOPosix
import StreamCore
import Testing
import WebSocketTransport

@Suite("The opening handshake", .timeLimit(.minutes(15)))
struct HandshakeTests {
    static let refusals: [(HTTPResponseStatus, HTTPHeaders, String)] = [
        (.unauthorized, ["WWW-Authenticate": "Bearer"], "token please"),
        (.forbidden, [:], ""),
        (.serviceUnavailable, ["Retry-After": "3"], "full"),
        (.found, ["Location": "ws://elsewhere.example/"], ""),
    ]

    @Test("a refusal reaches the client with status, headers and text", arguments: refusals.indices)
    func refused(index: Int) async throws {
        let (status, headers, message) = Self.refusals[index]
        let upgrade = WebSocketServerUpgrade(
            shouldUpgrade: { _ in .refuse(status, headers: headers, message: message) },
            onOpen: { _, _ in Issue.record("opened") })
        try await LoopbackServer.with(upgrade) { server in
            let error = await #expect(throws: WebSocketUpgradeError.self) {
                try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            }
            #expect(error?.status == status)
            #expect(error?.body == message)
            for (name, value) in headers { #expect(error?.headers.first(name: name) == value) }
            #expect((error?.description.contains("redirects are not followed") ?? false) == (status == .found))
        }
    }

    @Test("a path without a WebSocket goes on as an ordinary request")
    func ordinaryRequest() async throws {
        let upgrade = WebSocketServerUpgrade(
            shouldUpgrade: { head in head.uri == "/ws" ? .accept() : .ordinaryRequest },
            onOpen: { socket, _ in socket.delegate = WebSocketCallbacks(onText: { _, _ in }) })
        try await LoopbackServer.with(upgrade) { server in
            let error = await #expect(throws: WebSocketUpgradeError.self) {
                try await WebSocketConnector.connect(url: server.url + "/nothing", timeout: .patient)
            }
            #expect(error?.status == .notFound)
            #expect(error?.body == "/nothing")
            await (try WebSocketConnector.connect(url: server.url + "/ws", timeout: .patient)).close()
        }
    }

    static let ordinary = [
        "GET /a HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\nabc",
    ]

    @Test("what is no WebSocket reaches the HTTP side whole, other upgrades included", arguments: ordinary)
    func ordinaryRequests(request: String) async throws {
        try await LoopbackServer.with(.echo()) { server in
            let answer = try await Self.exchange(request, with: server)
            #expect(answer.hasPrefix("HTTP/1.1 404 "))
            #expect(answer.hasSuffix("/a"))
        }
    }

    static let flaws: [(String, String)] = [
        (
            "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 8\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", "426"
        ),
        (
            "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\r\n",
            "400"
        ),
        (
            "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: short==\r\n\r\n", "400"
        ),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Content-Length: 0\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", "405"
        ),
        (
            "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", "101"
        ),
    ]

    @Test("malformed requests get the status for what is wrong", arguments: flaws)
    func malformed(request: String, status: String) async throws {
        try await LoopbackServer.with(.echo()) { server in
            let answer = try await Self.exchange(request, with: server)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            // The example of RFC 6455 section 1.3.
            #expect(answer.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") == (status == "101"))
        }
    }

    @Test("bad addresses fail without a connection")
    func badAddresses() async throws {
        await Self.expect(.badURL) { try await WebSocketConnector.connect(url: "http://localhost/", timeout: .patient) }
    }

    @Test("a port without a server is reported as unreachable")
    func unreachable() async throws {
        var url = ""
        try await LoopbackServer.with(.echo()) { url = $0.url }
        let gone = url
        await Self.expect(.unreachable) { try await WebSocketConnector.connect(url: gone, timeout: .patient) }
    }

    @Test("a server that accepts and stays silent is given up in time")
    func silent() async throws {
        try await LoopbackServer.with { server in
            await Self.expect(.timedOut) {
                try await WebSocketConnector.connect(url: server.url, timeout: .milliseconds(200))
            }
        } initializer: {
            $0.eventLoop.makeSucceededVoidFuture()
        }
    }

    static let nonsense: [(String, WebSocketConnectError.Code)] = [
        ("SSH-2.0-OpenSSH_9.2\r\n", .invalidHandshake),
        (
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n", .invalidHandshake
        ),
        ("HTTP/1.1 101 Switching Protocols\r\n\r\n", .invalidHandshake),
        ("", .closedDuringHandshake),
    ]

    @Test("an answer that is not a handshake is reported as such", arguments: nonsense.indices)
    func noHandshake(index: Int) async throws {
        let (answer, code) = Self.nonsense[index]
        try await LoopbackServer.with { server in
            await Self.expect(code) { try await WebSocketConnector.connect(url: server.url, timeout: .patient) }
        } initializer: { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(CannedHandler(answer))
            }
        }
    }

    static func expect(
        _ code: WebSocketConnectError.Code, _ body: () async throws -> WebSocketConnection
    ) async {
        do {
            _ = try await body()
            Issue.record("it connected")
        } catch let error as WebSocketConnectError {
            #expect(error.code == code, "\(error)")
        } catch {
            Issue.record("\(error)")
        }
    }

    /// Sends raw bytes and returns the answer: its head and the first of its body, where it has one.
    static func exchange(_ request: String, with server: LoopbackServer) async throws -> String {
        let port = server.channel.localAddress?.port ?? 0
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var answer = ""
            for try await part in inbound {
                answer += String(buffer: part)
                if answer.contains("\r\n\r\n"), !answer.hasSuffix("\r\n\r\n") || answer.contains(" 101 ") { break }
            }
            return answer
        }
    }
}

/// Answers the first bytes with fixed ones and hangs up.
final class CannedHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let answer: String
    private let closes: Bool

    init(_ answer: String, closes: Bool = true) {
        self.answer = answer
        self.closes = closes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let (channel, closes) = (context.channel, closes)
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(string: answer))).whenComplete { _ in
            if closes { channel.close(promise: nil) }
        }
    }
}
