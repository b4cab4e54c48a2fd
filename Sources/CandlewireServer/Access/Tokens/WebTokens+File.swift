import Foundation
import JWTKit

extension WebTokens {
    /// Bytes of a shared secret: as many as the hash has (RFC 7518 section 3.2).
    public static let shortestSecret = 32

    /// Reads what tokens are checked with: a public key (PEM; RS256, ES256, ES384, ES512 or EdDSA), a set of them (JSON,
    /// RFC 7517), or a shared secret of at least 32 bytes (HS256).
    /// - Throws: `ServerError` that names the file, and nothing of what is in it.
    public init(file path: String) async throws(ServerError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ServerError(.access, "The file \(path) of --jwt-key cannot be read.")
        }
        let text = WebTokenKeyText(data)
        switch text {
        case .privateKey: throw Self.refused(path, "is a private key; tokens are checked with the public one.")
        case .pem(let text): self.init(keys: [try await Self.publicKey(text, path)])
        case .json(let text): self.init(keys: try await Self.keySet(Data(text.utf8), path))
        case .secret(let text):
            guard text.utf8.count >= Self.shortestSecret else {
                throw Self.refused(path, "must be \(Self.allowedFiles).")
            }
            self.init(keys: [try await Self.sharedSecret(text)])
        case .unusable(let what): throw Self.refused(path, "\(what); it must be \(Self.allowedFiles).")
        }
    }

    private static let allowedFiles =
        "a public key (PEM), a set of them (JWKS), or a secret of at least \(shortestSecret) bytes on one line"

    static func sharedSecret(_ text: String) async throws(ServerError) -> Key {
        try await key { await $0.add(hmac: HMACKey(from: text), digestAlgorithm: .sha256) }
    }

    private static func publicKey(_ text: String, _ path: String) async throws(ServerError) -> Key {
        if let rsa = try? Insecure.RSA.PublicKey(pem: text) {
            return try await key { await $0.add(rsa: rsa, digestAlgorithm: .sha256) }
        }
        if let curve = try? ES256PublicKey(pem: text) { return try await key { await $0.add(ecdsa: curve) } }
        if let curve = try? ES384PublicKey(pem: text) { return try await key { await $0.add(ecdsa: curve) } }
        if let curve = try? ES512PublicKey(pem: text) { return try await key { await $0.add(ecdsa: curve) } }
        if let edwards = try? EdDSA.PublicKey(pem: text) { return try await key { await $0.add(eddsa: edwards) } }
        throw refused(path, "has no public key for RS256 (of 2048 bits or more), ES256, ES384, ES512 or EdDSA.")
    }

    private static func keySet(_ data: Data, _ path: String) async throws(ServerError) -> [Key] {
        guard let set = try? JSONDecoder().decode(JWKS.self, from: data), !set.keys.isEmpty else {
            throw refused(path, "is not a JSON Web Key Set: {\"keys\":[{\"kty\":\"RSA\", \"EC\" or \"OKP\",...},...]}.")
        }
        var keys: [Key] = []
        for (index, entry) in set.keys.enumerated() {
            var entry = entry
            let id = entry.keyIdentifier?.string
            if id == nil { entry.keyIdentifier = JWKIdentifier(string: "\(index)") }
            guard let algorithm = algorithm(of: entry), let name = entry.keyIdentifier else {
                throw refused(path, "has key \(index + 1) of a kind that is not supported.")
            }
            entry.algorithm = algorithm
            let collection = JWTKeyCollection()
            do {
                try await collection.add(jwk: entry)
                keys.append(Key(id: id, algorithm: try await collection.getKey(for: name, alg: algorithm.rawValue)))
            } catch {
                // Its message may quote the key.
                throw refused(path, "has key \(index + 1), which is not complete or not valid.")
            }
        }
        return keys
    }

    /// What a key of a set is for, where it does not declare it.
    private static func algorithm(of key: JWK) -> JWK.Algorithm? {
        if let algorithm = key.algorithm { return algorithm == .rsaOAEP ? nil : algorithm }
        return switch (key.keyType.rawValue, key.curve?.rawValue) {
        case ("RSA", _): .rs256
        case ("EC", "P-256"): .es256
        case ("EC", "P-384"): .es384
        case ("EC", "P-521"): .es512
        case ("OKP", "Ed25519"): .eddsa
        default: nil
        }
    }

    /// The library gives its algorithms away only by way of a collection.
    private static func key(_ add: (JWTKeyCollection) async -> JWTKeyCollection) async throws(ServerError) -> Key {
        let collection = await add(JWTKeyCollection())
        do {
            return Key(id: nil, algorithm: try await collection.getKey())
        } catch {
            throw ServerError(.access, "The key of --jwt-key cannot be used.")
        }
    }

    private static func refused(_ path: String, _ why: String) -> ServerError {
        ServerError(.access, "The file \(path) of --jwt-key \(why)")
    }
}
