#if !canImport(CryptoKit)
    import CCrypto
    package import Foundation

    /// What is needed of libcrypto.
    private enum Library {
        // Pointers to what OpenSSL lets all threads read, and what nobody changes.
        nonisolated(unsafe) static let context = candlewire_new_library_context()
        /// Looked up once: each look-up costs more than the hash of a short entry.
        nonisolated(unsafe) static let sha256 = EVP_MD_fetch(context, "SHA256", nil)

        /// A wrong hash would be worse than no process.
        static func require(_ result: CInt) {
            precondition(result == 1, "libcrypto could not make a SHA-256: is there memory?")
        }
    }

    /// SHA-256 (FIPS 180-4) of bytes that come in parts.
    package struct SHA256: ~Copyable {
        static let byteCount = 32
        private let state = EVP_MD_CTX_new()

        package init() { Library.require(EVP_DigestInit_ex2(state, Library.sha256, nil)) }

        deinit { EVP_MD_CTX_free(state) }

        package mutating func update(_ bytes: some ContiguousBytes) {
            bytes.withUnsafeBytes { Library.require(EVP_DigestUpdate(state, $0.baseAddress, $0.count)) }
        }

        package consuming func finalize() -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: Self.byteCount) { digest, count in
                Library.require(EVP_DigestFinal_ex(state, digest.baseAddress, nil))
                count = Self.byteCount
            }
        }

        /// - Returns: the 32 bytes of the digest.
        package static func hash(_ bytes: some ContiguousBytes) -> [UInt8] {
            bytes.withUnsafeBytes { bytes in
                [UInt8](unsafeUninitializedCapacity: byteCount) { digest, count in
                    Library.require(
                        EVP_Digest(bytes.baseAddress, bytes.count, digest.baseAddress, nil, Library.sha256, nil))
                    count = byteCount
                }
            }
        }
    }

    /// A secret that authenticates bytes by HMAC-SHA-256 (RFC 2104).
    package struct HMACKey: Sendable {
        private let key: [UInt8]

        package init(_ key: [UInt8]) { self.key = key }

        package func code(of bytes: some ContiguousBytes) -> [UInt8] {
            bytes.withUnsafeBytes { bytes in
                [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { code, count in
                    let made = EVP_Q_mac(
                        Library.context, "HMAC", nil, "SHA256", nil, key, key.count, bytes.baseAddress, bytes.count,
                        code.baseAddress, code.count, &count)
                    Library.require(made == nil ? 0 : 1)
                }
            }
        }

        /// In constant time.
        package func isCode(_ code: some Collection<UInt8>, of bytes: some ContiguousBytes) -> Bool {
            let right = self.code(of: bytes)
            return code.count == right.count && CRYPTO_memcmp(Array(code), right, right.count) == 0
        }
    }
#endif
