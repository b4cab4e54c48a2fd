#if canImport(CryptoKit)
    import CryptoKit
    package import Foundation

    /// SHA-256 (FIPS 180-4) of bytes that come in parts.
    package struct SHA256: ~Copyable {
        private var state = CryptoKit.SHA256()

        package init() {}

        package mutating func update(_ bytes: some ContiguousBytes) {
            bytes.withUnsafeBytes { state.update(bufferPointer: $0) }
        }

        package consuming func finalize() -> [UInt8] { Array(state.finalize()) }

        /// - Returns: the 32 bytes of the digest.
        package static func hash(_ bytes: some ContiguousBytes) -> [UInt8] {
            var state = SHA256()
            state.update(bytes)
            return state.finalize()
        }
    }

    /// A secret that authenticates bytes by HMAC-SHA-256 (RFC 2104).
    package struct HMACKey: Sendable {
        private let key: SymmetricKey

        package init(_ key: [UInt8]) { self.key = SymmetricKey(data: key) }

        package func code(of bytes: some ContiguousBytes) -> [UInt8] {
            bytes.withUnsafeBytes { Array(HMAC<CryptoKit.SHA256>.authenticationCode(for: Data($0), using: key)) }
        }

        /// In constant time.
        package func isCode(_ code: some Collection<UInt8>, of bytes: some ContiguousBytes) -> Bool {
            bytes.withUnsafeBytes {
                HMAC<CryptoKit.SHA256>.isValidAuthenticationCode(Array(code), authenticating: Data($0), using: key)
            }
        }
    }
#endif
