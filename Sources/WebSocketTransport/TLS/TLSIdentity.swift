import MarketModel
import NIOSSL

/// A certificate, the certificates it is signed by, and the private key that proves it is ours.
struct TLSIdentity: Sendable, Hashable {
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey

    /// - Throws: `WebSocketTLSError`: a file that cannot be read or holds the wrong thing, a key of another certificate.
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

    static func day(_ timestamp: Double) -> String {
        let date = CivilDate(timestamp: timestamp)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(date.year)-\(two(date.month))-\(two(date.day))"
    }
}
