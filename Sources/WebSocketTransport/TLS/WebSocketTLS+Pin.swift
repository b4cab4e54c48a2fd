import NIOSSL

extension WebSocketTLS {
    /// The SHA-256 of a certificate's SubjectPublicKeyInfo, as RFC 7469 section 2.4 defines pins.
    ///
    /// It is about the key and not the certificate, so it survives a renewal with the same key. On the command line:
    /// ```
    /// openssl x509 -in cert.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
    /// ```
    public struct Pin: Sendable, Hashable, CustomStringConvertible {
        /// 32 bytes.
        public let digest: [UInt8]

        /// - Parameter text: the digest in base 64, with or without `sha256/` or `sha256//` in front.
        /// - Throws: `WebSocketTLSError` with code `invalidPin`.
        public init(_ text: String) throws {
            // A second slash is curl's, or the digest's own first character: only one of them gives 32 bytes.
            for prefix in ["sha256//", "sha256/", ""] where text.hasPrefix(prefix) {
                guard let digest = Base64.decode(text.dropFirst(prefix.count)), digest.count == 32 else { continue }
                self.digest = digest
                return
            }
            throw WebSocketTLSError(.invalidPin, "not a pin (32 bytes in base 64, like sha256/…=): \(text)")
        }

        /// The pin of the first certificate in PEM form.
        /// - Throws: `WebSocketTLSError`.
        public init(certificate pem: [UInt8]) throws {
            self.init(try PEMSource(name: "the certificate", bytes: pem).certificates()[0])
        }

        init(_ certificate: NIOSSLCertificate) {
            // A certificate that got this far was parsed with its key; nothing matches an empty digest.
            let key = try? certificate.extractPublicKey().toSPKIBytes()
            digest = key.map(SHA256.hash) ?? []
        }

        public var description: String { "sha256/" + Base64.encode(digest) }
    }
}

/// Base 64 with padding (RFC 4648 section 4), for pins.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place > group.count ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * place) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: nil for anything but whole groups with their padding.
    static func decode(_ text: Substring) -> [UInt8]? {
        let characters = Array(text.utf8)
        let digits = characters.prefix { $0 != UInt8(ascii: "=") }
        let padding = characters.count - digits.count
        guard characters.count % 4 == 0, padding <= 2,
            characters[digits.count...].allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for character in digits {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> count & 0xFF))
            }
        }
        return bytes
    }
}
