import Logging
import NIOCore
import WebSocketTransport

/// Reads the PROXY header in front of everything else, TLS too, and reports the client that it names.
final class ProxyHeaderHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let logger: Logger
    private let onClient: (IPAddress) -> Void
    private var gathered = ByteBuffer()

    init(logger: Logger, onClient: @escaping (IPAddress) -> Void) {
        self.logger = logger
        self.onClient = onClient
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = Self.unwrapInboundIn(data)
        gathered.writeBuffer(&bytes)
        switch ProxyHeader.parse(gathered.readableBytesView) {
        case .incomplete: break
        case .invalid:
            logger.debug("a trusted proxy's connection begins without a PROXY header of version 2; it is closed")
            context.close(promise: nil)
        case .complete(let length, let client):
            if let client { onClient(client) }
            gathered.moveReaderIndex(forwardBy: length)
            let rest = gathered
            if rest.readableBytes > 0 { context.fireChannelRead(Self.wrapInboundOut(rest)) }
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        }
    }
}
