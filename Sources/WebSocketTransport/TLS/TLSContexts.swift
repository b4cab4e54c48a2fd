import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL

/// BoringSSL contexts of clients, kept: making one reads and parses every trust root of the system, which takes tens of
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
        case .anybody: configuration.certificateVerification = .none
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
