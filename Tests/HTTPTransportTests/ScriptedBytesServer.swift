import NIOCore
import NIOPosix
import Synchronization

/// A TCP server that answers the end of each request's head with bytes set before, and remembers the heads.
final class ScriptedBytesServer: Sendable {
    enum Piece: Sendable {
        case text(String)
        /// Ends the connection.
        case close
    }

    private let channel: any Channel
    private let heads: Heads

    private init(_ channel: any Channel, _ heads: Heads) {
        self.channel = channel
        self.heads = heads
    }

    var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
    var requests: [String] { heads.texts.withLock { $0 } }

    static func with(
        _ pieces: [Piece], _ body: (ScriptedBytesServer) async throws -> Void
    ) async throws {
        let heads = Heads()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(pieces, heads))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = ScriptedBytesServer(channel, heads)
        do {
            try await body(server)
        } catch {
            try? await channel.close()
            throw error
        }
        try? await channel.close()
    }

    private final class Heads: Sendable {
        let texts = Mutex<[String]>([])
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let pieces: [Piece]
        private let heads: Heads
        private var text = ""

        init(_ pieces: [Piece], _ heads: Heads) {
            self.pieces = pieces
            self.heads = heads
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: unwrapInboundIn(data))
            guard text.firstRange(of: "\r\n\r\n") != nil else { return }
            let head = text
            text = ""
            heads.texts.withLock { $0.append(head) }
            for piece in pieces {
                switch piece {
                case .text(let text): context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
                case .close: context.close(promise: nil)
                }
            }
        }
    }
}
