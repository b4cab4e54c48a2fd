import MarketModel
import NIOSSL

/// A certificate, the certificates it is signed by, and the private key that proves it is ours.
struct TLSIdentity: Sendable, Hashable {
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey

    /// - Throws: `WebSocketTLSError`: a file that cannot be read or holds the wrong thing, a key of another
    ///   certificate.
    init(certificates: PEMSource, key: PEMSource) throws {
        chain = try certificates.certificates()
        self.key = try key.privateKey()
        // BoringSSL compares the two when it is given both.
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: sources, privateKey: source)
            configuration.certificateVerification = .none
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw WebSocketTLSError(
                .keyMismatch,
                "the private key in \(key.name) does not belong to the first certificate in \(certificates.name)")
        }
    }

    var sources: [NIOSSLCertificateSource] { chain.map { .certificate($0) } }
    var source: NIOSSLPrivateKeySource { .privateKey(key) }

    /// What an operator should know about the certificate's dates; nil where it is valid for another week.
    ///
    /// - Parameter now: seconds since 1970.
    func warning(now: Double) -> String? {
        guard let leaf = chain.first else { return nil }
        let (from, until) = (Double(leaf.notValidBefore), Double(leaf.notValidAfter))
        if now < from { return "the certificate is not valid before \(Self.day(from))" }
        if now > until { return "the certificate expired on \(Self.day(until))" }
        if now > until - 7 * 86_400 { return "the certificate expires on \(Self.day(until))" }
        return nil
    }

    static func day(_ timestamp: Double) -> String { String(RFC3339.text(timestamp).prefix(10)) }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Bytes in PEM form and what to call them in an error.
struct PEMSource {
    /// A path, or what the bytes are.
    let name: String
    let bytes: [UInt8]

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// - Throws: `WebSocketTLSError` with code `unreadableFile`.
    init(file path: String) throws {
        guard let file = fopen(path, "rb") else { throw Self.unreadable(path) }
        defer { fclose(file) }
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 << 10)
        while case let count = fread(&part, 1, part.count, file), count > 0 { content += part[0..<count] }
        guard ferror(file) == 0 else { throw Self.unreadable(path) }
        self.init(name: path, bytes: content)
    }

    private static func unreadable(_ path: String) -> WebSocketTLSError {
        WebSocketTLSError(.unreadableFile, "cannot read \(path): \(String(cString: strerror(errno)))")
    }

    /// - Returns: at least one.
    func certificates() throws -> [NIOSSLCertificate] {
        guard let found = try? NIOSSLCertificate.fromPEMBytes(bytes), !found.isEmpty else {
            throw WebSocketTLSError(
                .invalidCertificate, "\(name) holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)")
        }
        return found
    }

    func privateKey() throws -> NIOSSLPrivateKey {
        do {
            // Without a callback BoringSSL would prompt for a passphrase on the terminal.
            return try NIOSSLPrivateKey(bytes: bytes, format: .pem) { (_: NIOSSLPassphraseSetter<[UInt8]>) in
                throw WebSocketTLSError(.invalidKey, "")
            }
        } catch {
            let why =
                bytes.firstRange(of: "ENCRYPTED".utf8) != nil
                ? "\(name) is a private key with a passphrase; remove the passphrase first"
                : "\(name) holds no private key in PEM form (-----BEGIN PRIVATE KEY-----)"
            throw WebSocketTLSError(.invalidKey, why)
        }
    }
}
