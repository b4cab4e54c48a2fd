import NIOCore
import NIOSSL
import NIOTLS

/// Stands behind a client's TLS handler: reports when the server is known to be the right one, checks the pins, and
/// puts what fails into words.
final class TLSGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    let isThrough: EventLoopFuture<Void>
    /// What TLS failed with, also after the handshake: a server may refuse our certificate that late (TLS 1.3).
    private(set) var failure: WebSocketConnectError?

    private let promise: EventLoopPromise<Void>
    private let options: WebSocketTLS
    private let host: String
    private var isDone = false
    private var chain: [WebSocketTLS.Pin] = []

    init(options: WebSocketTLS, host: String, eventLoop: any EventLoop) {
        self.options = options
        self.host = host
        promise = eventLoop.makePromise()
        isThrough = promise.futureResult
    }

    func verified(_ certificate: NIOSSLCertificate) { chain.append(WebSocketTLS.Pin(certificate)) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case TLSUserEvent.handshakeCompleted = event else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard !isDone else { return }
        if let failure = pinFailure(of: leaf(context)) {
            end(failure)
        } else {
            isDone = true
            promise.succeed(())
        }
    }

    /// Nil where one of the pins is in the chain.
    private func pinFailure(of leaf: NIOSSLCertificate?) -> WebSocketConnectError? {
        guard !options.pins.isEmpty else { return nil }
        let own = leaf.map(WebSocketTLS.Pin.init)
        if let own { chain.append(own) }
        guard !options.pins.contains(where: chain.contains) else { return nil }
        let seen = own.map { ", its key is \($0)" } ?? ""
        return WebSocketConnectError(.tlsFailed, "\(host) has none of the pinned keys\(seen)")
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case NIOSSLError.uncleanShutdown = error { return }
        let explained = TLSFailure.explain(error, host: host, certificate: leaf(context))
        if let explained, failure == nil { failure = explained }
        if isDone { context.fireErrorCaught(error) } else { end(explained ?? Self.hungUp) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(Self.hungUp)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(Self.hungUp) }

    private func end(_ error: WebSocketConnectError) {
        guard !isDone else { return }
        isDone = true
        promise.fail(error)
    }

    private func leaf(_ context: ChannelHandlerContext) -> NIOSSLCertificate? {
        try? context.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self).peerCertificate
    }

    private static let hungUp = WebSocketConnectError(
        .closedDuringHandshake, "the connection ended during the TLS handshake")
}

/// Keeps an end without `close_notify` from looking like a failure. Many peers just close the TCP connection. Where
/// that cuts something off, the layer above detects it: a WebSocket by the missing close frame, HTTP by the length it
/// was promised.
final class TLSEndFilter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case NIOSSLError.uncleanShutdown = error { return }
        context.fireErrorCaught(error)
    }
}
