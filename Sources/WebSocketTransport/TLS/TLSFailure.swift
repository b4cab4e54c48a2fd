import NIOSSL

/// Puts BoringSSL's errors into words.
enum TLSFailure {
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
    static func words(of entry: String) -> String {
        let marker = "OPENSSL_internal:"
        guard let range = entry.firstRange(of: marker) else { return entry }
        let name = entry[range.upperBound...].prefix { $0 != " " && $0 != "\n" }
        return name.lowercased().split(separator: "_").joined(separator: " ")
    }

    static func contains(_ word: String, in error: any Error) -> Bool {
        switch error {
        case NIOSSLError.handshakeFailed(let inner): contains(word, in: inner)
        case BoringSSLError.sslError(let stack), BoringSSLError.unknownError(let stack):
            stack.contains { $0.description.contains(word) }
        default: false
        }
    }
}
