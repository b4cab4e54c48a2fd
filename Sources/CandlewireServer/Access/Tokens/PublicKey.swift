import CCrypto

/// A public key of libcrypto that checks signatures of JSON Web Tokens. One that must not be used is none.
final class PublicKey: @unchecked Sendable {
    // Threads may read a key at the same time (openssl-threads), and nothing changes it here.
    private let key: OpaquePointer

    nonisolated(unsafe) private static let library = candlewire_new_library_context()

    /// Bits of an RSA key: the least of RFC 7518 section 3.3, and what libcrypto can still use.
    private static let modulusBits = 2048...Int(OPENSSL_RSA_MAX_MODULUS_BITS)

    /// - Parameter pem: a PEM file.
    convenience init?(pem: String) {
        let text = Array(pem.utf8)
        guard let file = BIO_new_mem_buf(text, CInt(text.count)) else { return nil }
        defer { BIO_free(file) }
        // Without a function libcrypto would request a passphrase on the terminal.
        self.init(owning: PEM_read_bio_PUBKEY_ex(file, nil, { _, _, _, _ in -1 }, nil, Self.library, nil))
    }

    /// - Parameter der: `DER.publicKey`.
    convenience init?(der: [UInt8]) {
        self.init(
            owning: der.withUnsafeBufferPointer {
                var start = $0.baseAddress
                return d2i_PUBKEY_ex(nil, &start, $0.count, Self.library, nil)
            })
    }

    private init?(owning key: OpaquePointer?) {
        defer { ERR_clear_error() }
        guard let key else { return nil }
        self.key = key
        guard algorithmName != nil, isValid else { return nil }
    }

    deinit { EVP_PKEY_free(key) }

    /// Whether the numbers are a key: a point is on its curve, a modulus is no prime.
    private var isValid: Bool {
        guard let check = EVP_PKEY_CTX_new_from_pkey(Self.library, key, nil) else { return false }
        defer { EVP_PKEY_CTX_free(check) }
        return EVP_PKEY_public_check(check) == 1
    }

    /// The algorithm that a key of its kind checks, where nothing names another one.
    var algorithmName: String? {
        if EVP_PKEY_is_a(key, "RSA") == 1 {
            return Self.modulusBits.contains(Int(EVP_PKEY_get_bits(key))) ? "RS256" : nil
        }
        if EVP_PKEY_is_a(key, "ED25519") == 1 { return "EdDSA" }
        var curve = [CChar](repeating: 0, count: 64)
        guard EVP_PKEY_is_a(key, "EC") == 1, EVP_PKEY_get_group_name(key, &curve, curve.count, nil) == 1 else {
            return nil
        }
        return switch String(decoding: curve.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) {
        case "prime256v1": "ES256"
        case "secp384r1": "ES384"
        case "secp521r1": "ES512"
        default: nil
        }
    }

    /// - Parameters:
    ///   - signature: as libcrypto has it: of ECDSA two numbers in DER.
    ///   - digest: the hash that was signed; `nil`: the text itself was.
    ///   - isPSS: RSA's padding, with a salt as long as the digest (RFC 7518 section 3.5); else that of PKCS #1 1.5.
    func verifies(_ signature: [UInt8], of text: ArraySlice<UInt8>, digest: String?, isPSS: Bool = false) -> Bool {
        guard let state = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(state)
            ERR_clear_error()
        }
        var options: OpaquePointer?
        guard EVP_DigestVerifyInit_ex(state, &options, digest, Self.library, nil, key, nil) == 1 else { return false }
        if isPSS {
            guard EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1
            else { return false }
        }
        return text.withUnsafeBufferPointer {
            EVP_DigestVerify(state, signature, signature.count, $0.baseAddress, $0.count) == 1
        }
    }
}
