import NIOCore
import NIOHTTP1

/// Answers the one request of a refused handshake and closes the connection.
final class RefusalHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let refusal: UpgradeRefusal
    private var hasAnswered = false

    init(_ refusal: UpgradeRefusal) {
        self.refusal = refusal
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasAnswered else { return }
        hasAnswered = true
        var headers = refusal.headers
        headers.replaceOrAdd(name: "Content-Length", value: String(refusal.message.utf8.count))
        headers.replaceOrAdd(name: "Connection", value: "close")
        if !refusal.message.isEmpty, !headers.contains(name: "Content-Type") {
            headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
        }
        let head = HTTPResponseHead(version: .http1_1, status: refusal.status, headers: headers)
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        if !refusal.message.isEmpty {
            context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: refusal.message)))), promise: nil)
        }
        let sent = context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: sent)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !(error is NotAWebSocketError) { context.close(promise: nil) }
    }
}
