import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import StreamCore
import WebSocketTransport

/// A server on a free port of the loopback interface; it goes when the test's closure ends.
struct LoopbackServer: Sendable {
    let channel: any Channel

    var url: String { "ws://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    /// WebSockets by `upgrade`, and 404 for everything else.
    static func with(_ upgrade: WebSocketServerUpgrade, _ body: (LoopbackServer) async throws -> Void) async throws {
        try await with(body) { channel in
            channel.eventLoop.makeCompletedFuture {
                _ = try upgrade.configure(channel) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(NotFoundHandler())
                    }
                }
            }
        }
    }

    /// Any child channels.
    static func with(
        _ body: (LoopbackServer) async throws -> Void,
        initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .childChannelInitializer(initializer)
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body(LoopbackServer(channel: channel))
        } catch {
            try? await channel.close()
            throw error
        }
        try await channel.close()
    }
}

extension WebSocketServerUpgrade {
    /// Sends every message back as it came.
    static func echo(_ configuration: WebSocketConfiguration = .large) -> WebSocketServerUpgrade {
        WebSocketServerUpgrade(
            configuration: configuration,
            shouldUpgrade: { head in
                let offered = offeredSubprotocols(head)
                return .accept(
                    headers: ["X-Seen": head.headers.first(name: "X-Token") ?? "none"],
                    subprotocol: offered.contains("echo.v1") ? "echo.v1" : nil)
            },
            onOpen: { socket, _ in
                socket.delegate = WebSocketCallbacks(
                    onText: { bytes, socket in socket.send(text: ByteBuffer(bytes: bytes)) },
                    onBinary: { bytes, socket in socket.send(binary: ByteBuffer(bytes: bytes)) })
            })
    }
}

extension WebSocketConfiguration {
    static var large: WebSocketConfiguration {
        // Patient: on a busy machine the answer to a close frame may take longer than a user would wait.
        WebSocketConfiguration(limits: .client, keepAlive: nil, closeTimeout: .patient, outboundLimit: 64 << 20)
    }
}

/// What happens on event loops, for a test to wait for.
final class Happenings: Sendable {
    private let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private let all = NIOLockedValueBox<[String]>([])

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func note(_ what: String) {
        all.withLockedValue { $0.append(what) }
        continuation.yield(what)
    }

    var noted: [String] { all.withLockedValue { $0 } }

    /// Waits for the next one that begins so. One task at a time.
    func wait(for prefix: String) async {
        for await what in stream where what.hasPrefix(prefix) { return }
    }
}

/// Answers each request with 404 and its path.
private final class NotFoundHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart
    private var path = "no head"

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head): path = head.uri
        case .body: break
        case .end:
            let body = ByteBuffer(string: path)
            let headers: HTTPHeaders = ["Content-Length": "\(body.readableBytes)"]
            let head = HTTPResponseHead(version: .http1_1, status: .notFound, headers: headers)
            context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
            context.write(Self.wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
            path = "no head"
        }
    }
}
