import NIOCore
import NIOHTTP1

/// Watches a connection until its first request is decided: it gets a time limit, and a server that shuts down does
/// not wait for a browser's spare connection that never made a request. It also keeps the request's head, for
/// `HeadReplayHandler`, and answers where there never was a proper one: 408, 431 or 400.
final class FirstRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// How much time the answer has to leave.
    private static let timeout = TimeAmount.seconds(2)

    private(set) var head: HTTPRequestHead?
    private let timeout: TimeAmount
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?
    private var hasGivenUp = false
    var onTimeout: (@Sendable () -> Void)?

    init(timeout: TimeAmount) { self.timeout = timeout }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { [weak self] in
            self?.giveUp(.requestTimeout)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        self.context = nil
    }

    func requestArrived() {
        guard let context else { return }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    /// Only before the first head: afterwards others may be answering already.
    private func giveUp(_ status: HTTPResponseStatus) {
        guard let context, !hasGivenUp else { return }
        hasGivenUp = true
        if status == .requestTimeout { onTimeout?() }
        guard head == nil else { return context.close(promise: nil) }
        let headers: HTTPHeaders = ["Content-Length": "0", "Connection": "close"]
        let answer = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(Self.wrapOutboundOut(.head(answer)), promise: nil)
        let channel = context.channel
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
        // TLS keeps the answer back until its handshake is done, which a stalled peer never does.
        let leaving = context.eventLoop.scheduleTask(in: Self.timeout) { channel.close(mode: .all, promise: nil) }
        channel.closeFuture.whenComplete { _ in leaving.cancel() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // TLS on a plain port, for example: what follows will not be valid HTTP either.
        guard head == nil, let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        giveUp(error == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Only the first part is looked at: after a 101 raw bytes come this way.
        if head == nil, case .head(let first) = Self.unwrapInboundIn(data) { head = first }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}

/// Puts the head of a request back that NIO's typed upgrade handler swallowed. Where a request has an `Upgrade` header
/// and no upgrader accepts it (a path without a WebSocket, `curl`'s offer of h2c), that handler (2.101) passes on what
/// follows the head, but not the head itself: a handler that expects a request then sees one without a beginning. Should NIO
/// pass the head on one day, nothing is added.
final class HeadReplayHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let head: HTTPRequestHead
    private var isDone = false

    init(_ head: HTTPRequestHead) { self.head = head }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let isFirst = !isDone
        isDone = true
        if isFirst, !Self.isHead(data) { context.fireChannelRead(Self.wrapInboundOut(.head(head))) }
        context.fireChannelRead(data)
        if isFirst { context.pipeline.syncOperations.removeHandler(self, promise: nil) }
    }

    private static func isHead(_ data: NIOAny) -> Bool { if case .head = unwrapInboundIn(data) { true } else { false } }
}
