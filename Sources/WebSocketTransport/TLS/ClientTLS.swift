import NIOCore
import NIOSSL

/// Does the TLS handshake of one client connection.
struct ClientTLS: Sendable {
    let options: WebSocketTLS
    let url: WebSocketURL
    let context: NIOSSLContext

    /// Must be called on the channel's event loop, before any other handler is added.
    ///
    /// - Returns: the guard that stays in the pipeline, once the server has proved who it is. Fails with a
    ///   `WebSocketConnectError`; closing the channel is the caller's.
    func start(on channel: any Channel) -> EventLoopFuture<NIOLoopBound<TLSGuard>> {
        let eventLoop = channel.eventLoop
        let tlsGuard = TLSGuard(options: options, host: url.host, eventLoop: eventLoop)
        do {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(handler(watchedBy: tlsGuard))
            try pipeline.addHandler(tlsGuard)
        } catch {
            return eventLoop.makeFailedFuture(
                WebSocketConnectError(
                    .tlsFailed, "no TLS with \(url.host): \(TLSFailure.reason(error))", underlying: error))
        }
        let bound = NIOLoopBound(tlsGuard, eventLoop: eventLoop)
        return tlsGuard.isThrough.map { bound }
    }

    private func handler(watchedBy tlsGuard: TLSGuard) throws -> NIOSSLClientHandler {
        let serverName = options.serverName ?? url.serverName
        guard !options.pins.isEmpty, options.trust.roots != .anybody else {
            return try NIOSSLClientHandler(context: context, serverHostname: serverName)
        }
        let maker: any ChainWatching.Type = ChainWatch.self
        return try maker.handler(context: context, serverName: serverName) { tlsGuard.verified($0) }
    }
}

extension WebSocketURL {
    /// What goes into SNI and is looked for in the certificate; nil for addresses, which NIOSSL compares by itself.
    var serverName: String? {
        if (try? SocketAddress(ipAddress: host, port: 0)) != nil { return nil }
        // "example.com." is the same name without the search through domains; no certificate says so.
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}

/// A detour around a deprecation. NIOSSL offers three callbacks: one replaces the verification, one sees the server's
/// own certificate only, and this one, called per certificate that BoringSSL verified, is the only way to see the chain.
private protocol ChainWatching {
    static func handler(
        context: NIOSSLContext, serverName: String?, onVerified: @escaping (NIOSSLCertificate) -> Void
    ) throws -> NIOSSLClientHandler
}

private enum ChainWatch: ChainWatching {
    @available(*, deprecated, message: "the initializer it calls is")
    static func handler(
        context: NIOSSLContext, serverName: String?, onVerified: @escaping (NIOSSLCertificate) -> Void
    ) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: context, serverHostname: serverName) { result, certificate in
            if result == .certificateVerified { onVerified(certificate) }
            return result
        }
    }
}
