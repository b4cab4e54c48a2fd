import HistoryStore

/// A signature algorithm of JSON Web Tokens (RFC 7518 section 3.1, RFC 8037) with the key that checks it.
struct WebTokenAlgorithm: Sendable {
    private enum Key: Sendable {
        case secret(HMACKey)
        case `public`(PublicKey)
    }

    /// As the header `alg` has it.
    let name: String
    private let key: Key

    static func sharedSecret(_ secret: String) -> WebTokenAlgorithm {
        WebTokenAlgorithm(name: "HS256", key: .secret(HMACKey(Array(secret.utf8))))
    }

    func verifies(_ signature: [UInt8], of text: ArraySlice<UInt8>) -> Bool {
        switch key {
        case .secret(let key): return key.isCode(signature, of: text)
        case .public(let key):
            guard name != "EdDSA" else { return key.verifies(signature, of: text, digest: nil) }
            let digest = "SHA\(name.suffix(3))"
            guard name.hasPrefix("ES") else {
                return key.verifies(signature, of: text, digest: digest, isPSS: name.hasPrefix("PS"))
            }
            // Two numbers, each as long as the curve's (RFC 7518 section 3.4).
            let half = Self.coordinateBytes[name] ?? 0
            guard signature.count == 2 * half else { return false }
            let numbers = DER.sequence(DER.integer(signature[..<half]), DER.integer(signature[half...]))
            return key.verifies(numbers, of: text, digest: digest)
        }
    }

    private static let coordinateBytes = ["ES256": 32, "ES384": 48, "ES512": 66]
}

/// Keys of files.
extension WebTokenAlgorithm {
    /// A public key (PEM): RS256, ES256, ES384, ES512 or EdDSA.
    init?(pem: String) {
        guard let key = PublicKey(pem: pem), let name = key.algorithmName else { return nil }
        self.init(name: name, key: .public(key))
    }

    /// - Parameter name: `JSONWebKey.algorithmName`.
    /// - Returns: `nil` where the key is not complete or not valid.
    init?(_ key: JSONWebKey, name: String) {
        func bytes(_ text: String?) -> [UInt8]? { text.flatMap { Base64URL.bytes($0.utf8) } }
        let der: [UInt8]
        if name == "EdDSA" {
            guard let point = bytes(key.x) else { return nil }
            der = DER.publicKey(Self.edwards, point)
        } else if let curve = Self.curves[name] {
            guard let x = bytes(key.x), let y = bytes(key.y) else { return nil }
            // 4: both coordinates follow (SEC 1 section 2.3.3).
            der = DER.publicKey(curve, [4] + x + y)
        } else {
            guard let modulus = bytes(key.n), let exponent = bytes(key.e) else { return nil }
            der = DER.publicKey(Self.rsa, DER.sequence(DER.integer(modulus), DER.integer(exponent)))
        }
        guard let key = PublicKey(der: der) else { return nil }
        self.init(name: name, key: .public(key))
    }

    // Algorithms of keys: RFC 8410 section 3, RFC 5480 section 2.1.1, RFC 3279 section 2.3.1.

    private static let edwards: [UInt8] = [0x06, 0x03, 0x2B, 0x65, 0x70]
    private static let ellipticKey: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    private static let curves: [String: [UInt8]] = [
        "ES256": ellipticKey + [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07],
        "ES384": ellipticKey + [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22],
        "ES512": ellipticKey + [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23],
    ]
    private static let rsa: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
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
