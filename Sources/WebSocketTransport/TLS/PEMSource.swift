import NIOSSL

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
            // Without a callback BoringSSL would ask for a passphrase on the terminal.
            return try NIOSSLPrivateKey(bytes: bytes, format: .pem) { (_: NIOSSLPassphraseSetter<[UInt8]>) in
                throw WebSocketTLSError(.invalidKey, "")
            }
        } catch {
            let why =
                contains("ENCRYPTED")
                ? "\(name) is a private key with a passphrase; take the passphrase away first"
                : "\(name) holds no private key in PEM form (-----BEGIN PRIVATE KEY-----)"
            throw WebSocketTLSError(.invalidKey, why)
        }
    }

    private func contains(_ word: String) -> Bool {
        let word = Array(word.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: word) }
    }
}
