import NIOCore
import NIOHTTP1

/// Collects the HTTP answer of a server that did not upgrade, as far as it helps to say why.
final class RefusalCollector: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    let refusal: EventLoopFuture<WebSocketUpgradeError>
    private let promise: EventLoopPromise<WebSocketUpgradeError>
    private var head: HTTPResponseHead?
    private var body = ByteBuffer()
    private var isDone = false

    static let bodyLimit = 16 << 10

    init(eventLoop: any EventLoop) {
        promise = eventLoop.makePromise(of: WebSocketUpgradeError.self)
        refusal = promise.futureResult
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(var part):
            if var slice = part.readSlice(length: min(part.readableBytes, Self.bodyLimit - body.readableBytes)) {
                body.writeBuffer(&slice)
            }
            if body.readableBytes >= Self.bodyLimit { finish() }
        case .end: finish()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish()
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish()
    }

    /// Time is over: what has come of the answer must do.
    /// - Returns: whether that is enough to say why, that is, status and headers.
    func giveUp() -> Bool {
        guard head != nil else { return false }
        finish()
        return true
    }

    private func finish() {
        guard !isDone else { return }
        isDone = true
        guard let head else {
            promise.fail(
                WebSocketConnectError(.closedDuringHandshake, "the connection ended during the handshake"))
            return
        }
        promise.succeed(
            WebSocketUpgradeError(status: head.status, headers: head.headers, body: String(buffer: body)))
    }
}
