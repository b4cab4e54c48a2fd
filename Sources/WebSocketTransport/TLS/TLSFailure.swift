import NIOSSL

/// Puts BoringSSL's errors into words.
enum TLSFailure {
    /// - Returns: nil where the connection just ended, which is no verdict of TLS.
    static func explain(_ error: any Error, host: String, certificate: NIOSSLCertificate?) -> WebSocketConnectError? {
        func failed(_ description: String, _ code: WebSocketConnectError.Code = .tlsFailed) -> WebSocketConnectError {
            WebSocketConnectError(code, description, underlying: error)
        }
        switch error {
        case let mismatch as NIOSSLExtraError where mismatch == .failedToValidateHostname:
            return failed("the certificate of \(host) is for another name")
        case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])): return nil
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: break
        default: return nil
        }
        if contains("CERTIFICATE_VERIFY_FAILED", in: error) {
            return failed("the certificate of \(host) \(flaw(of: certificate))")
        }
        for (marker, sentence) in verdicts where contains(marker, in: error) { return failed("\(host) \(sentence)") }
        for (marker, sentence) in knownFailures where contains(marker, in: error) {
            return failed("\(host) \(sentence)", .tlsHandshakeFailed)
        }
        return failed("no TLS with \(host): \(reason(error))", .tlsHandshakeFailed)
    }

    private static let knownFailures = [
        ("WRONG_VERSION_NUMBER", "does not use TLS on this port"),
        ("HTTP_REQUEST", "does not use TLS on this port"),
        ("UNSUPPORTED_PROTOCOL", "supports no TLS version from 1.2 on"),
        ("ALERT_PROTOCOL_VERSION", "supports no TLS version from 1.2 on"),
    ]

    private static let verdicts = [
        ("CERTIFICATE_REQUIRED", "requires a client certificate"),
        ("ALERT_UNKNOWN_CA", "refused our client certificate: signed by an authority that it does not know"),
        ("ALERT_BAD_CERTIFICATE", "refused our client certificate"),
        ("ALERT_CERTIFICATE_EXPIRED", "refused our client certificate: expired"),
        ("ALERT_CERTIFICATE_UNKNOWN", "refused our client certificate"),
    ]

    /// Why verification failed, as far as the certificate itself shows.
    private static func flaw(of certificate: NIOSSLCertificate?) -> String {
        let untrusted = "is not signed by an authority that is trusted"
        guard let certificate else { return untrusted }
        let now = wallClock().rounded(.down)
        let (from, until) = (Double(certificate.notValidBefore), Double(certificate.notValidAfter))
        if now > until { return "expired on \(TLSIdentity.day(until))" }
        return now < from ? "is not valid before \(TLSIdentity.day(from))" : untrusted
    }

    /// What is known of the error, without the file names and numbers of BoringSSL's sources.
    static func reason(_ error: any Error) -> String {
        switch error {
        case NIOSSLError.handshakeFailed(let inner): reason(inner)
        case BoringSSLError.sslError(let stack), BoringSSLError.unknownError(let stack):
            stack.first.map { words(of: $0.description) } ?? "the handshake failed"
        default: "\(error)"
        }
    }

    /// "Error: 268435703 error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER at …" is about a wrong
    /// version number.
    private static func words(of entry: String) -> String {
        guard let range = entry.firstRange(of: "OPENSSL_internal:") else { return entry }
        let name = entry[range.upperBound...].prefix { $0 != " " && $0 != "\n" }
        return name.lowercased().split(separator: "_").joined(separator: " ")
    }

    private static func contains(_ word: String, in error: any Error) -> Bool {
        switch error {
        case NIOSSLError.handshakeFailed(let inner): contains(word, in: inner)
        case BoringSSLError.sslError(let stack), BoringSSLError.unknownError(let stack):
            stack.contains { $0.description.contains(word) }
        default: false
        }
    }
}

/// TLS cannot be set up: something is wrong with our own files or options, before any connection is made.
///
/// What fails on a connection is a `WebSocketConnectError` with code `tlsFailed`.
public struct WebSocketTLSError: Error, Sendable, CustomStringConvertible {
    public struct Code: Sendable, Hashable {
        private let name: String

        /// A file that does not exist or must not be read.
        public static let unreadableFile = Code(name: "unreadableFile")
        /// No certificate where one was expected.
        public static let invalidCertificate = Code(name: "invalidCertificate")
        /// No private key where one was expected, or one with a passphrase.
        public static let invalidKey = Code(name: "invalidKey")
        /// The private key belongs to another certificate.
        public static let keyMismatch = Code(name: "keyMismatch")
        /// Not the base 64 of a SHA-256 digest.
        public static let invalidPin = Code(name: "invalidPin")
        /// BoringSSL refuses the options for another reason.
        public static let unusable = Code(name: "unusable")
    }

    public let code: Code
    /// One sentence for people. Never holds anything of a key.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
