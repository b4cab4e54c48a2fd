import NIOCore
import NIOHTTP1

/// Puts the head of a request back that NIO's typed upgrade handler swallowed.
///
/// Where a request has an `Upgrade` header and no upgrader takes it (a path without a WebSocket, `curl`'s offer of
/// h2c), that handler (2.101) passes on what follows the head, but not the head itself: whoever expects a request then
/// sees one without a beginning. Should NIO pass the head on one day, nothing is added.
final class HeadReplayHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let head: HTTPRequestHead
    private var isDone = false

    init(_ head: HTTPRequestHead) {
        self.head = head
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else {
            context.fireChannelRead(data)
            return
        }
        isDone = true
        if case .head = Self.unwrapInboundIn(data) {
            context.fireChannelRead(data)
        } else {
            context.fireChannelRead(Self.wrapInboundOut(.head(head)))
            context.fireChannelRead(data)
        }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
