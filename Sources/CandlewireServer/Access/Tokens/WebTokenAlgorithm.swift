import Crypto
import CryptoExtras
import Foundation
import StreamCore

/// A signature algorithm of JSON Web Tokens (RFC 7518 section 3.1, RFC 8037) with the key that checks it.
struct WebTokenAlgorithm: Sendable {
    /// As the header `alg` has it.
    let name: String
    private let check: @Sendable (_ signature: [UInt8], _ text: ArraySlice<UInt8>) -> Bool

    /// Bits of the shortest RSA key (RFC 7518 section 3.3).
    private static let shortestModulus = 2048

    func verifies(_ signature: [UInt8], of text: ArraySlice<UInt8>) -> Bool { check(signature, text) }

    // MARK: Keys of one algorithm

    static func sharedSecret(_ secret: String) -> WebTokenAlgorithm {
        let key = SymmetricKey(data: Array(secret.utf8))
        return WebTokenAlgorithm(name: "HS256") { signature, text in
            HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: text, using: key)
        }
    }

    private static func p256(_ key: P256.Signing.PublicKey) -> WebTokenAlgorithm {
        WebTokenAlgorithm(name: "ES256") { signature, text in
            (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: text) }
                ?? false
        }
    }

    private static func p384(_ key: P384.Signing.PublicKey) -> WebTokenAlgorithm {
        WebTokenAlgorithm(name: "ES384") { signature, text in
            (try? P384.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: text) }
                ?? false
        }
    }

    private static func p521(_ key: P521.Signing.PublicKey) -> WebTokenAlgorithm {
        WebTokenAlgorithm(name: "ES512") { signature, text in
            (try? P521.Signing.ECDSASignature(rawRepresentation: signature)).map { key.isValidSignature($0, for: text) }
                ?? false
        }
    }

    private static func edwards(_ key: Curve25519.Signing.PublicKey) -> WebTokenAlgorithm {
        WebTokenAlgorithm(name: "EdDSA") { signature, text in key.isValidSignature(signature, for: text) }
    }

    /// - Returns: `nil` where the key is too short, or the name is none of RSA's.
    private static func rsa(_ key: _RSA.Signing.PublicKey, _ name: String) -> WebTokenAlgorithm? {
        guard key.keySizeInBits >= shortestModulus else { return nil }
        let padding = name.hasPrefix("PS") ? _RSA.Signing.Padding.PSS : .insecurePKCS1v1_5
        func algorithm<Hash: HashFunction>(_: Hash.Type) -> WebTokenAlgorithm {
            WebTokenAlgorithm(name: name) { signature, text in
                key.isValidSignature(.init(rawRepresentation: signature), for: Hash.hash(data: text), padding: padding)
            }
        }
        return switch name {
        case "RS256", "PS256": algorithm(SHA256.self)
        case "RS384", "PS384": algorithm(SHA384.self)
        case "RS512", "PS512": algorithm(SHA512.self)
        default: nil
        }
    }
}

/// Keys of files.
extension WebTokenAlgorithm {
    /// A public key (PEM): RS256, ES256, ES384, ES512 or EdDSA.
    init?(pem: String) {
        let made =
            (try? _RSA.Signing.PublicKey(pemRepresentation: pem)).flatMap { Self.rsa($0, "RS256") }
            ?? (try? P256.Signing.PublicKey(pemRepresentation: pem)).map(Self.p256)
            ?? (try? P384.Signing.PublicKey(pemRepresentation: pem)).map(Self.p384)
            ?? (try? P521.Signing.PublicKey(pemRepresentation: pem)).map(Self.p521)
            ?? (try? Curve25519.Signing.PublicKey(pemRepresentation: pem)).map(Self.edwards)
        guard let made else { return nil }
        self = made
    }

    /// - Parameter name: `JSONWebKey.algorithmName`.
    /// - Returns: `nil` where the key is not complete or not valid.
    init?(_ key: JSONWebKey, name: String) {
        func bytes(_ text: String?) -> [UInt8]? { text.flatMap { Base64URL.bytes(Array($0.utf8)[...]) } }
        var made: WebTokenAlgorithm?
        if let x = bytes(key.x) {
            let point = x + (bytes(key.y) ?? [])
            made =
                switch name {
                case "ES256": (try? P256.Signing.PublicKey(rawRepresentation: point)).map(Self.p256)
                case "ES384": (try? P384.Signing.PublicKey(rawRepresentation: point)).map(Self.p384)
                case "ES512": (try? P521.Signing.PublicKey(rawRepresentation: point)).map(Self.p521)
                case "EdDSA": (try? Curve25519.Signing.PublicKey(rawRepresentation: x)).map(Self.edwards)
                default: nil
                }
        } else if let modulus = bytes(key.n), let exponent = bytes(key.e) {
            made = (try? _RSA.Signing.PublicKey(n: modulus, e: exponent)).flatMap { Self.rsa($0, name) }
        }
        guard let made else { return nil }
        self = made
    }
}

/// A public key of a set (RFC 7517), as far as tokens are checked with it.
struct JSONWebKey: Decodable {
    var kty: String
    var alg: String?
    var kid: String?
    var crv: String?
    var n: String?
    var e: String?
    var x: String?
    var y: String?

    struct Set: Decodable { var keys: [JSONWebKey] }

    /// What it is for, where it does not declare it too; `nil`: for something that tokens are not checked with here.
    var algorithmName: String? {
        let allowed: [String] =
            switch (kty, crv) {
            case ("RSA", _): ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]
            case ("EC", "P-256"): ["ES256"]
            case ("EC", "P-384"): ["ES384"]
            case ("EC", "P-521"): ["ES512"]
            case ("OKP", "Ed25519"): ["EdDSA"]
            default: []
            }
        guard let alg else { return allowed.first }
        return allowed.contains(alg) ? alg : nil
    }
}
