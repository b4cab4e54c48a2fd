import NIOCore
import NIOSSL

/// Keeps an end without `close_notify` from looking like a failure.
///
/// Many peers just close the TCP connection. Where that cuts something off, whoever reads above knows: a WebSocket by
/// the missing close frame, HTTP by the length it was promised.
final class TLSEndFilter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOSSLError.uncleanShutdown: break
        default: context.fireErrorCaught(error)
        }
    }
}
