/// TLS cannot be set up: something is wrong with our own files or options, before any connection is made.
///
/// What fails on a connection is a `WebSocketConnectError` with code `tlsFailed`.
public struct WebSocketTLSError: Error, Sendable, CustomStringConvertible {
    public struct Code: Sendable, Hashable {
        private enum Value: Sendable {
            case unreadableFile, invalidCertificate, invalidKey, keyMismatch, invalidPin, unusable
        }
        private let value: Value

        /// A file that does not exist or must not be read.
        public static let unreadableFile = Code(value: .unreadableFile)
        /// No certificate where one was expected.
        public static let invalidCertificate = Code(value: .invalidCertificate)
        /// No private key where one was expected, or one with a passphrase.
        public static let invalidKey = Code(value: .invalidKey)
        /// The private key belongs to another certificate.
        public static let keyMismatch = Code(value: .keyMismatch)
        /// Not the base 64 of a SHA-256 digest.
        public static let invalidPin = Code(value: .invalidPin)
        /// BoringSSL refuses the options for another reason.
        public static let unusable = Code(value: .unusable)
    }

    public let code: Code
    /// One sentence for people. Never holds anything of a key.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
