import NIOCore
import NIOPosix
import Synchronization

/// A small HTTP server that answers every request with pieces set before: a model's server as tests need it, good and bad.
final class ModelServer: Sendable {
    enum Piece: Sendable {
        case text(String)
        case wait(Double)
        /// Ends the connection.
        case close
    }

    let port: Int
    private let channel: any Channel
    private let seen: Requests

    final class Requests: Sendable {
        private let texts = Mutex<[String]>([])
        private let lost = Mutex(0)
        /// - Returns: how many there were before it.
        func add(_ text: String) -> Int {
            texts.withLock {
                $0.append(text)
                return $0.count - 1
            }
        }
        func loseOne() { lost.withLock { $0 += 1 } }
        var all: [String] { texts.withLock { $0 } }
        var losses: Int { lost.withLock { $0 } }
    }

    static func start(_ pieces: [Piece]) async throws -> ModelServer { try await start(rounds: [pieces]) }

    /// - Parameter rounds: what the first request is answered, the second, and so on; the last one stays.
    static func start(rounds: [[Piece]]) async throws -> ModelServer {
        let seen = Requests()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(rounds, seen))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return ModelServer(channel, seen)
    }

    private init(_ channel: any Channel, _ seen: Requests) {
        self.channel = channel
        self.seen = seen
        port = channel.localAddress?.port ?? 0
    }

    var baseURL: String { "http://127.0.0.1:\(port)/v1" }
    /// Head and body of each request.
    var requests: [String] { seen.all }
    /// Connections that the client ended.
    var losses: Int { seen.losses }

    func stop() async { try? await channel.close() }

    /// An answer of server-sent events that ends with the connection.
    static func streaming(_ events: [String], done: Bool = true) -> [Piece] {
        [.text("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")]
            + events.map { .text("data: \($0)\n\n") } + (done ? [.text("data: [DONE]\n\n")] : []) + [.close]
    }

    static func refusing(_ status: String, body: String) -> [Piece] {
        [
            .text("HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"),
            .text(body), .close,
        ]
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let rounds: [[Piece]]
        private var pieces: [Piece] = []
        private let seen: Requests
        private var text = ""
        private var isAnswering = false
        private var isClosing = false

        init(_ rounds: [[Piece]], _ seen: Requests) {
            self.rounds = rounds
            self.seen = seen
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: unwrapInboundIn(data))
            guard !isAnswering, let head = text.range(of: "\r\n\r\n") else { return }
            let length = text[..<head.lowerBound].split(separator: "\r\n")
                .first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.dropFirst(15).filter { $0 != " " }) }
            guard text[head.upperBound...].utf8.count >= length ?? 0 else { return }
            isAnswering = true
            pieces = rounds[min(seen.add(text), rounds.count - 1)]
            play(0, context)
        }

        func channelInactive(context: ChannelHandlerContext) {
            if !isClosing { seen.loseOne() }
            context.fireChannelInactive()
        }

        private func play(_ index: Int, _ context: ChannelHandlerContext) {
            guard index < pieces.count, context.channel.isActive else { return }
            switch pieces[index] {
            case .text(let text):
                context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
                play(index + 1, context)
            case .wait(let seconds):
                let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
                context.eventLoop.scheduleTask(in: .milliseconds(Int64(seconds * 1000))) {
                    bound.value.0.play(index + 1, bound.value.1)
                }
            case .close:
                isClosing = true
                context.close(promise: nil)
            }
        }
    }
}

extension String {
    fileprivate func range(of part: String) -> Range<String.Index>? { firstRange(of: part) }
}
