import NIOCore
import NIOHTTP1

/// Watches a connection until its first request is decided: it gets a time limit, and a server that shuts down does
/// not wait for a browser's spare connection that never asked for anything. It also keeps the request's head, for
/// `HeadReplayHandler`.
final class FirstRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart

    private(set) var head: HTTPRequestHead?
    private let timeout: TimeAmount
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?

    init(timeout: TimeAmount) {
        self.timeout = timeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { [weak self] in
            self?.context?.close(promise: nil)
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

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Only the first part is looked at: after a 101 raw bytes come this way.
        if head == nil, case .head(let first) = Self.unwrapInboundIn(data) { head = first }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // TLS on a plain port, for example: whoever it is will not become intelligible by waiting.
        if head == nil, error is HTTPParserError {
            context.close(promise: nil)
        } else {
            context.fireErrorCaught(error)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}
