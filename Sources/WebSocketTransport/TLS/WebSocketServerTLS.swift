public import NIOCore
import NIOSSL

/// A server's half of TLS: its certificate and key, loaded and checked once, used by every connection.
///
/// ```swift
/// let tls = try WebSocketServerTLS(certificateFile: "fullchain.pem", keyFile: "privkey.pem")
/// // in the child channel's initializer, before any other handler:
/// try tls.install(on: channel)
/// ```
///
/// TLS 1.2 and 1.3; ALPN offers `http/1.1` only, because that is what a WebSocket's handshake needs. Encrypted bytes
/// are what `WebSocketHandler.bufferedBytes` counts, so the limits on slow readers hold as they do without TLS.
public struct WebSocketServerTLS: Sendable {
    private let identity: TLSIdentity
    private let context: NIOSSLContext

    /// - Parameters:
    ///   - certificateFile: PEM; the server's certificate first, those it is signed by after it.
    ///   - keyFile: PEM, without a passphrase. May be the same file.
    /// - Throws: `WebSocketTLSError`, one sentence that names the file: it cannot be read, holds no certificate or key,
    ///   or the key belongs to another certificate. An expired certificate is no error, see `warning(now:)`.
    public init(certificateFile: String, keyFile: String) throws {
        try self.init(certificates: PEMSource(file: certificateFile), key: PEMSource(file: keyFile))
    }

    /// - Parameters:
    ///   - certificates: PEM; the server's certificate first, those it is signed by after it.
    ///   - key: PEM, without a passphrase.
    public init(certificates: [UInt8], key: [UInt8]) throws {
        try self.init(
            certificates: PEMSource(name: "the certificate", bytes: certificates),
            key: PEMSource(name: "the key", bytes: key))
    }

    private init(certificates: PEMSource, key: PEMSource) throws {
        identity = try TLSIdentity(certificates: certificates, key: key)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: identity.sources, privateKey: identity.source)
        configuration.minimumTLSVersion = .tlsv12
        // Of TLS 1.2 only those with forward secrecy and authenticated encryption (RFC 9325, section 4.2); 1.3 has no others.
        configuration.cipherSuiteValues = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
        configuration.applicationProtocols = ["http/1.1"]
        // A peer that does not answer our close_notify holds its connection no longer than this.
        configuration.shutdownTimeout = .seconds(2)
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw WebSocketTLSError(.unusable, "TLS cannot be set up: \(TLSFailure.reason(error))")
        }
    }

    /// What an operator should know at start: that the certificate expired, is not valid yet or ends within a week.
    ///
    /// - Parameter now: seconds since 1970.
    public func warning(now: Double) -> String? { identity.warning(now: now) }

    /// Puts TLS in front of a connection: what follows in the pipeline reads and writes plain bytes. A client that does
    /// not manage the TLS handshake is closed; its time is the next handler's to bound
    /// (`WebSocketServerUpgrade.requestTimeout` does).
    ///
    /// Must be called on the channel's event loop, before any other handler is added.
    public func install(on channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandlers([NIOSSLServerHandler(context: context), TLSEndFilter()])
    }
}
