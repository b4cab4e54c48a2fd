import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
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
        guard !options.pins.isEmpty, options.trust.roots != .unchecked else {
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
        // "example.com." is the same name without the search through domains; no certificate is made out to it.
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}

/// A detour around a deprecation. NIOSSL offers three callbacks: one replaces the verification, one sees the server's
/// own certificate only, and this one, called per certificate that BoringSSL verified, is the only way to see the
/// chain.
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

/// BoringSSL contexts of clients, kept: making one reads and parses every trust root of the system, which costs tens of
/// milliseconds and must neither be done for each reconnect nor on an event loop.
final class TLSContexts: Sendable {
    static let shared = TLSContexts()

    /// What makes a context another one.
    private struct Key: Hashable {
        let trust: WebSocketTLS.Trust
        let identity: WebSocketTLS.Identity?
    }

    /// Applications have one set of options or two; the rest is for tests that make their own.
    private static let capacity = 8
    private let kept = NIOLockedValueBox<[(key: Key, context: NIOSSLContext)]>([])

    func context(for options: WebSocketTLS, on eventLoop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
        let key = Key(trust: options.trust, identity: options.identity)
        if let known = kept.withLockedValue({ $0.first { $0.key == key }?.context }) {
            return eventLoop.makeSucceededFuture(known)
        }
        return NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) {
            let context = try Self.make(options)
            self.kept.withLockedValue { kept in
                if kept.count == Self.capacity { kept.removeFirst() }
                kept.append((key, context))
            }
            return context
        }
    }

    private static func make(_ options: WebSocketTLS) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = .seconds(2)
        switch options.trust.roots {
        case .system: break
        case .authorities(let certificates): configuration.trustRoots = .certificates(certificates)
        case .unchecked: configuration.certificateVerification = .none
        }
        if let identity = options.identity?.loaded {
            configuration.certificateChain = identity.sources
            configuration.privateKey = identity.source
        }
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw WebSocketConnectError(
                .tlsFailed, "TLS cannot be set up: \(TLSFailure.reason(error))", underlying: error)
        }
    }
}
