import CCrypto
import Foundation

@testable import CandlewireServer

/// A new private key of libcrypto: a login service's, of which the server has the public one.
final class SigningKey {
    /// How many bytes each of an ECDSA signature's numbers has; 0: it is of another kind.
    private let coordinateBytes: Int
    private let key: OpaquePointer

    struct Failure: Error {}

    /// - Parameters:
    ///   - type: `EC`, `RSA`, `RSA-PSS`, `ED25519`, ...
    ///   - curve: of `EC`.
    init(_ type: String, curve: String? = nil, bits: Int? = nil) throws {
        let making = EVP_PKEY_CTX_new_from_name(nil, type, nil)
        defer { EVP_PKEY_CTX_free(making) }
        guard EVP_PKEY_keygen_init(making) == 1 else { throw Failure() }
        if let curve, EVP_PKEY_CTX_set_group_name(making, curve) != 1 { throw Failure() }
        if let bits, EVP_PKEY_CTX_set_rsa_keygen_bits(making, CInt(bits)) != 1 { throw Failure() }
        var made: OpaquePointer?
        guard EVP_PKEY_generate(making, &made) == 1, let made else { throw Failure() }
        key = made
        coordinateBytes = curve == nil ? 0 : (Int(EVP_PKEY_get_bits(made)) + 7) / 8
    }

    deinit { EVP_PKEY_free(key) }

    /// SubjectPublicKeyInfo.
    var der: [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = Int(i2d_PUBKEY(key, &start))
        defer { CRYPTO_free(start, #fileID, #line) }
        return Array(UnsafeBufferPointer(start: start, count: count))
    }

    var pem: String { Self.pem(der, "PUBLIC KEY") }

    static func pem(_ der: [UInt8], _ label: String) -> String {
        let lines = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n"
    }

    /// A number of an RSA key: `n` or `e`.
    func number(_ name: String) -> [UInt8] {
        var number: OpaquePointer?
        EVP_PKEY_get_bn_param(key, name, &number)
        defer { BN_free(number) }
        var digits = [UInt8](repeating: 0, count: (Int(BN_num_bits(number)) + 7) / 8)
        BN_bn2bin(number, &digits)
        return digits
    }

    /// The members of its JSON Web Key.
    var webKey: String {
        if EVP_PKEY_is_a(key, "RSA") == 1 {
            return #""kty":"RSA","n":"\#(Base64URL.text(number("n")))","e":"\#(Base64URL.text(number("e")))""#
        }
        if coordinateBytes == 0 {
            return #""kty":"OKP","crv":"Ed25519","x":"\#(Base64URL.text(Array(der.suffix(32))))""#
        }
        let (x, y) = (der.suffix(2 * coordinateBytes).prefix(coordinateBytes), der.suffix(coordinateBytes))
        let curve = [32: "P-256", 48: "P-384", 66: "P-521"][coordinateBytes] ?? ""
        return
            #""kty":"EC","crv":"\#(curve)","x":"\#(Base64URL.text(Array(x)))","y":"\#(Base64URL.text(Array(y)))""#
    }

    /// A signature as tokens have it.
    /// - Parameters:
    ///   - algorithm: of a token's header.
    ///   - saltBytes: of PSS; `nil`: as many as the digest has.
    func sign(_ text: String, _ algorithm: String, saltBytes: Int? = nil) throws -> [UInt8] {
        let state = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(state) }
        var options: OpaquePointer?
        let digest = algorithm == "EdDSA" ? nil : "SHA\(algorithm.suffix(3))"
        guard EVP_DigestSignInit_ex(state, &options, digest, nil, nil, key, nil) == 1 else { throw Failure() }
        if algorithm.hasPrefix("PS") {
            EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING)
            EVP_PKEY_CTX_set_rsa_pss_saltlen(options, saltBytes.map(CInt.init) ?? RSA_PSS_SALTLEN_DIGEST)
        }
        let bytes = Array(text.utf8)
        var signature = [UInt8](repeating: 0, count: 1024)
        var count = signature.count
        guard EVP_DigestSign(state, &signature, &count, bytes, bytes.count) == 1 else { throw Failure() }
        signature.removeSubrange(count...)
        return coordinateBytes == 0 ? signature : try numbers(signature)
    }

    /// The two numbers of an ECDSA signature.
    private func numbers(_ der: [UInt8]) throws -> [UInt8] {
        let parsed = der.withUnsafeBufferPointer {
            var start = $0.baseAddress
            return d2i_ECDSA_SIG(nil, &start, $0.count)
        }
        guard let parsed else { throw Failure() }
        defer { ECDSA_SIG_free(parsed) }
        var numbers = [UInt8](repeating: 0, count: 2 * coordinateBytes)
        numbers.withUnsafeMutableBufferPointer {
            BN_bn2binpad(ECDSA_SIG_get0_r(parsed), $0.baseAddress, CInt(coordinateBytes))
            BN_bn2binpad(ECDSA_SIG_get0_s(parsed), $0.baseAddress?.advanced(by: coordinateBytes), CInt(coordinateBytes))
        }
        return numbers
    }
}
