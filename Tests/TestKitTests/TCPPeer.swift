import NIOCore
import NIOPosix
import Synchronization

/// One end of a TCP connection that a test holds in its hands.
final class TCPPeer: Sendable {
    struct Seen {
        var bytes: [UInt8] = []
        var hasEnded = false
        var isClosed = false
        var wasReset = false
    }

    let channel: any Channel
    private let seen: SeenBox

    fileprivate final class SeenBox: Sendable {
        let value = Mutex(Seen())
    }

    private init(channel: any Channel, seen: SeenBox) {
        self.channel = channel
        self.seen = seen
    }

    var now: Seen { seen.value.withLock { $0 } }

    static func connect(port: Int) async throws -> TCPPeer {
        let seen = SeenBox()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Notes(seen: seen))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return TCPPeer(channel: channel, seen: seen)
    }

    func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

    /// Waits until it has seen what `condition` requires.
    func until(_ condition: (Seen) -> Bool) async -> Bool { await patiently { condition(now) } }

    private final class Notes: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let seen: SeenBox

        init(seen: SeenBox) {
            self.seen = seen
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = Self.unwrapInboundIn(data)
            seen.value.withLock { $0.bytes += bytes.readableBytesView }
        }
        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .inputClosed? = event as? ChannelEvent { seen.value.withLock { $0.hasEnded = true } }
        }
        func channelInactive(context: ChannelHandlerContext) { seen.value.withLock { $0.isClosed = true } }
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if (error as? IOError)?.errnoCode == ECONNRESET { seen.value.withLock { $0.wasReset = true } }
            context.close(promise: nil)
        }
    }
}

/// A TCP server on a free loopback port.
struct TCPServer: Sendable {
    enum Behaviour: Sendable {
        /// Sends everything back; ends its half when the peer has ended its own.
        case echo
        /// Never reads.
        case deaf
    }

    let channel: any Channel
    var port: Int { channel.localAddress?.port ?? 0 }

    static func start(_ behaviour: Behaviour) async throws -> TCPServer {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: behaviour == .echo)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(EchoHandler())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return TCPServer(channel: channel)
    }

    private final class EchoHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.channel.writeAndFlush(Self.unwrapInboundIn(data), promise: nil)
        }
        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .inputClosed? = event as? ChannelEvent { context.close(mode: .output, promise: nil) }
        }
    }
}

/// Looks again and again, for as long as a busy machine may need.
func patiently(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
