import NIOCore
import NIOHTTP1

/// Answers the one request of a refused handshake and closes the connection. At once, without waiting for a body that
/// may never come.
final class RefusalHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let refusal: UpgradeRefusal
    private var isSent = false
    private var hasRequestEnded = false
    private var timer: Scheduled<Void>?

    /// How much time the client has to read the answer while it is still sending: closing earlier would reset the
    /// connection, and the answer could be lost.
    private static let timeout = TimeAmount.seconds(2)

    init(_ refusal: UpgradeRefusal) { self.refusal = refusal }

    func handlerAdded(context: ChannelHandlerContext) {
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
        let channel = context.channel
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: Self.timeout) { channel.close(promise: nil) }
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil))).whenComplete { _ in
            bound.value.isSent = true
            if bound.value.hasRequestEnded { channel.close(promise: nil) }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = Self.unwrapInboundIn(data) else { return }
        hasRequestEnded = true
        if isSent { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !(error is NotAWebSocketError) { context.close(promise: nil) }
    }
}
