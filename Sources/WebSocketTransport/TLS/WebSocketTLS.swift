import NIOSSL

/// How a client makes sure that it talks to the right server over `wss://`.
///
/// ```swift
/// try await WebSocketConnector.connect(url: "wss://stream.example.com/")                // the system's trust roots
///
/// var own = WebSocketTLS()
/// own.trust = try .authorities(file: "our-ca.pem")                                   // only our own authority
/// own.pins = [try WebSocketTLS.Pin("sha256/n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=")]
/// try await WebSocketConnector.connect(url: "wss://stream.example.com/", tls: own)
/// ```
///
/// Whatever the options, at least TLS 1.2 is spoken, and the host's name goes into SNI (an address does not, as RFC
/// 6066 section 3 requires). Files are read when the value is made, not when a connection is: what is wrong with them
/// is found early, and a reconnect does not depend on the disk.
public struct WebSocketTLS: Sendable, Hashable {
    /// Who may have signed the server's certificate.
    public var trust: Trust
    /// Keys of which one must occur in the server's chain of certificates; none: any chain that is trusted will do.
    ///
    /// Give at least two, one of them of a key that is kept elsewhere: a client whose only pin is lost with the
    /// server's key is locked out. The pin of an authority outlives the server's own certificates. With
    /// `insecureForDevelopment`, and on Apple's platforms with the system's roots, only the server's own certificate is
    /// looked at.
    public var pins: [Pin]
    /// What we show a server that requests a client certificate.
    public var identity: Identity?
    /// The name the certificate must be for, where it is not the URL's host (a tunnel, an address without a name).
    public var serverName: String?

    public init(trust: Trust = .system, pins: [Pin] = [], identity: Identity? = nil, serverName: String? = nil) {
        self.trust = trust
        self.pins = pins
        self.identity = identity
        self.serverName = serverName
    }

    /// The system's trust roots, no pins.
    public static var `default`: WebSocketTLS { WebSocketTLS() }

    /// No check of who the server is: anyone on the way can read and change everything. For development, with
    /// certificates that sign themselves; add a pin, and it is safe again.
    public static var insecureForDevelopment: WebSocketTLS { WebSocketTLS(trust: .insecureForDevelopment) }

    /// Who may have signed the server's certificate.
    public struct Trust: Sendable, Hashable {
        enum Roots: Sendable, Hashable {
            case system
            case authorities([NIOSSLCertificate])
            case unchecked
        }
        let roots: Roots

        /// The authorities the operating system trusts; the certificate must be for the host.
        public static let system = Trust(roots: .system)
        /// No check at all; see `WebSocketTLS.insecureForDevelopment`.
        public static let insecureForDevelopment = Trust(roots: .unchecked)

        /// Only these authorities, and not the system's; the certificate must be for the host. A server's self-signed
        /// certificate may stand here itself.
        ///
        /// - Parameter file: PEM, one certificate or more.
        /// - Throws: `WebSocketTLSError`.
        public static func authorities(file: String) throws -> Trust {
            Trust(roots: .authorities(try PEMSource(file: file).certificates()))
        }

        /// Only these authorities, given as PEM.
        public static func authorities(pem: [UInt8]) throws -> Trust {
            Trust(roots: .authorities(try PEMSource(name: "the authority", bytes: pem).certificates()))
        }
    }

    /// A client certificate with its key.
    public struct Identity: Sendable, Hashable, CustomStringConvertible {
        let loaded: TLSIdentity

        /// - Parameters:
        ///   - certificateFile: PEM; the client's certificate first, those it is signed by after it.
        ///   - keyFile: PEM, without a passphrase.
        /// - Throws: `WebSocketTLSError`.
        public init(certificateFile: String, keyFile: String) throws {
            loaded = try TLSIdentity(certificates: PEMSource(file: certificateFile), key: PEMSource(file: keyFile))
        }

        /// The same from PEM bytes.
        public init(certificates: [UInt8], key: [UInt8]) throws {
            loaded = try TLSIdentity(
                certificates: PEMSource(name: "the certificate", bytes: certificates),
                key: PEMSource(name: "the key", bytes: key))
        }

        public var description: String { "a client certificate with its key" }
    }
}
